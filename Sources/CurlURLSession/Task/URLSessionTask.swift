public import Foundation
internal import Synchronization

/// Loads one request of a session, redirects and rounds of authentication included.
///
/// A task is created suspended. It completes exactly once: told to its completion handler, to the
/// delegate, or by an asynchronous method. Every method and property may be used on any thread.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let core: TaskCore
    }

    /// The priority that a task has unless it is set: 0.5.
    public static let defaultPriority: Float = 0.5
    /// A priority below the default: 0.25.
    public static let lowPriority: Float = 0.25
    /// A priority above the default: 0.75.
    public static let highPriority: Float = 0.75

    final var core: TaskCore { content.core }

    /// Creates a task of no session, for classes that inherit and load nothing. It fails when it is
    /// resumed, and tells nobody.
    public override init() {
        content = Content(core: .unattached())
    }

    init(core: TaskCore) {
        content = Content(core: core)
    }

    /// The receiver.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver.
    open func copy(with zone: NSZone?) -> Any {
        self
    }

    /// The task's number, which no other task of its session has.
    open var taskIdentifier: Int { core.identifier }

    /// The request that the task was created with.
    open var originalRequest: URLRequest? { core.state.withLock { $0.originalRequest } }

    /// The request that is loaded: another one after a redirect.
    open var currentRequest: URLRequest? { core.state.withLock { $0.currentRequest } }

    /// The response; `nil` until its head is there.
    open var response: URLResponse? { core.state.withLock { $0.response() } }

    /// Who is asked and told of this task before the session's delegate. Held until the task is over;
    /// to be set before the task is resumed.
    open var delegate: (any URLSessionTaskDelegate)? {
        get { core.state.withLock { $0.delegate } }
        set { core.setDelegate(newValue) }
    }

    // MARK: Amounts, in bytes

    /// Bytes of the response's content that have come, decoded.
    open var countOfBytesReceived: Int64 { core.state.withLock { $0.counts.received } }

    /// Bytes of the request's body that were sent.
    open var countOfBytesSent: Int64 { core.state.withLock { $0.counts.sent } }

    /// Bytes of the request's body; -1 where that isn't known, 0 before the task begins.
    open var countOfBytesExpectedToSend: Int64 { core.state.withLock { $0.counts.expectedToSend } }

    /// Bytes of the response's content; -1 where that isn't known, 0 before the response.
    open var countOfBytesExpectedToReceive: Int64 {
        core.state.withLock { $0.counts.expectedToReceive }
    }

    /// Bytes of the response's content that have come over the connection: of compressed content fewer than
    /// ``countOfBytesReceived``, else as many.
    ///
    /// With ``countOfEncodedBytesExpectedToReceive`` it tells how far a compressed response has come, which
    /// the decoded bytes don't: nobody knows how many there will be. Of chunks some are counted late.
    public var countOfEncodedBytesReceived: Int64 {
        core.state.withLock { $0.counts.encoded?.received ?? $0.counts.received }
    }

    /// Bytes that the response's content has over the connection, as its `Content-Length` says (RFC 9110,
    /// section 8.6); -1 where that isn't known, 0 before the response.
    public var countOfEncodedBytesExpectedToReceive: Int64 {
        core.state.withLock { $0.counts.encoded?.expected ?? $0.counts.expectedToReceive }
    }

    /// How many bytes the task's owner expects to be sent; -1 for no idea. Nothing depends on it.
    open var countOfBytesClientExpectsToSend: Int64 {
        get { core.state.withLock { $0.counts.clientExpectsToSend } }
        set { core.state.withLock { $0.counts.clientExpectsToSend = newValue } }
    }

    /// How many bytes the task's owner expects to come; -1 for no idea. Nothing depends on it.
    open var countOfBytesClientExpectsToReceive: Int64 {
        get { core.state.withLock { $0.counts.clientExpectsToReceive } }
        set { core.state.withLock { $0.counts.clientExpectsToReceive = newValue } }
    }

    /// How far the task has come, in bytes of both directions. Cancelling, pausing and resuming it does
    /// so to the task.
    ///
    /// It changes on the session's threads, and `Progress` has no lock on Linux. Those of all tasks change
    /// one at a time, so tasks may share a parent. Add it to one before the task is resumed; what is read
    /// meanwhile may be a moment old, and is final in the completion.
    open var progress: Progress { core.progress(of: self) }

    // MARK: What it is like

    /// A name for the task, which means nothing to it.
    open var taskDescription: String? {
        get { core.state.withLock { $0.details.taskDescription } }
        set { core.state.withLock { $0.details.taskDescription = newValue } }
    }

    /// From 0 to 1. It is kept, and nothing depends on it: HTTP/1.1 has no priorities, and libcurl
    /// tells none of its own accord.
    open var priority: Float {
        get { core.state.withLock { $0.details.priority } }
        set { core.state.withLock { $0.details.priority = min(max(newValue, 0), 1) } }
    }

    /// Before when the task doesn't begin to load, though it was resumed; `nil` for at once. To be set
    /// before the task is resumed.
    open var earliestBeginDate: Date? {
        get { core.state.withLock { $0.details.earliestBeginDate } }
        set { core.state.withLock { $0.details.earliestBeginDate = newValue } }
    }

    // MARK: Its life

    /// What the task is doing.
    open var state: URLSessionTask.State { core.state.withLock { $0.life.state } }

    /// Why the task failed; `nil` as long as it hasn't.
    open var error: (any Error)? { core.state.withLock { $0.error } }

    /// Ends the task with `URLError.cancelled`, unless it is over. Returns at once; what was told to a
    /// delegate is followed by nothing but metrics and completion.
    open func cancel() {
        core.cancel()
    }

    /// Lets nothing flow any more. What is under way stays: no request is sent twice. Time that a task
    /// is suspended isn't idle time, but counts for the limit of the whole task. Calls are counted:
    /// each needs one of ``resume()``.
    open func suspend() {
        core.suspend(self)
    }

    /// Begins to load, or goes on.
    open func resume() {
        core.resume(self)
    }
}
