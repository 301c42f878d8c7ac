public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The compiler accepts no checked conformance for a class that is open to
// subclassing; a subclass is responsible for its own stored properties.
/// Loads one request of a session, including redirects and authentication.
///
/// A task is created suspended. It completes exactly once: with its completion handler, its
/// delegate, or an asynchronous method. Every method and property may be used on any thread.
open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let core: TaskCore
    }

    /// The default priority: 0.5.
    public static let defaultPriority: Float = 0.5
    /// A low priority: 0.25.
    public static let lowPriority: Float = 0.25
    /// A high priority: 0.75.
    public static let highPriority: Float = 0.75

    final var core: TaskCore { content.core }

    /// Creates a task without a session, for subclasses that load nothing.
    ///
    /// It fails when it is resumed, and calls no delegate.
    public override init() {
        content = Content(core: .unattached())
    }

    init(core: TaskCore) {
        content = Content(core: core)
    }

    /// Returns the receiver.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the receiver.
    open func copy(with zone: NSZone?) -> Any {
        self
    }

    /// The task's number, unique within its session.
    open var taskIdentifier: Int { core.identifier }

    /// The request that the task was created with.
    open var originalRequest: URLRequest? { core.state.withLock { $0.exchange.originalRequest } }

    /// The request being loaded; it changes with a redirect.
    open var currentRequest: URLRequest? { core.state.withLock { $0.exchange.currentRequest } }

    /// The response; `nil` until its head has arrived.
    open var response: URLResponse? { core.state.withLock { $0.exchange.response() } }

    /// The task's delegate. It takes precedence over the session's delegate.
    ///
    /// Set it before the task is resumed. It is held until the task has completed.
    open var delegate: (any URLSessionTaskDelegate)? {
        get { core.state.withLock { $0.ownDelegate.delegate } }
        set { core.setDelegate(newValue) }
    }

    // MARK: Sizes, in bytes

    /// The number of bytes received of the response's body, decoded.
    open var countOfBytesReceived: Int64 { core.state.withLock { $0.counts.received } }

    /// The number of bytes sent of the request's body.
    open var countOfBytesSent: Int64 { core.state.withLock { $0.counts.sent } }

    /// The size of the request's body. -1 if unknown, 0 before the task starts.
    open var countOfBytesExpectedToSend: Int64 { core.state.withLock { $0.counts.expectedToSend } }

    /// The size of the response's body. -1 if unknown, 0 before the response.
    open var countOfBytesExpectedToReceive: Int64 {
        core.state.withLock { $0.counts.expectedToReceive }
    }

    /// The number of body bytes received, as encoded on the connection.
    ///
    /// It is smaller than ``countOfBytesReceived`` for a compressed response, and equal to it
    /// otherwise. Together with ``countOfEncodedBytesExpectedToReceive`` it shows the progress of a
    /// compressed response, whose decoded size is unknown. With chunked transfer coding, some bytes
    /// are counted late.
    public var countOfEncodedBytesReceived: Int64 {
        core.state.withLock { $0.counts.encoded?.received ?? $0.counts.received }
    }

    /// The encoded size of the response's body. -1 if unknown, 0 before the response.
    ///
    /// It is the value of `Content-Length` (RFC 9110, section 8.6).
    public var countOfEncodedBytesExpectedToReceive: Int64 {
        core.state.withLock { $0.counts.encoded?.expected ?? $0.counts.expectedToReceive }
    }

    /// The owner's estimate of the bytes to send; -1 for none. It has no effect.
    open var countOfBytesClientExpectsToSend: Int64 {
        get { core.state.withLock { $0.counts.clientExpectsToSend } }
        set { core.state.withLock { $0.counts.clientExpectsToSend = newValue } }
    }

    /// The owner's estimate of the bytes to receive; -1 for none. It has no effect.
    open var countOfBytesClientExpectsToReceive: Int64 {
        get { core.state.withLock { $0.counts.clientExpectsToReceive } }
        set { core.state.withLock { $0.counts.clientExpectsToReceive = newValue } }
    }

    /// The task's progress, in bytes of both directions.
    ///
    /// Cancelling, pausing or resuming the progress does the same to the task. It changes on the
    /// session's threads, and `Progress` has no lock on Linux. The progress objects of all tasks
    /// change one at a time, so tasks may share a parent. Add it to a parent before the task is
    /// resumed. Values read in the meantime may be slightly old; they are final in the completion.
    open var progress: Progress { core.progress(of: self) }

    // MARK: Options

    /// A description for debugging. The task doesn't use it.
    open var taskDescription: String? {
        get { core.state.withLock { $0.details.taskDescription } }
        set { core.state.withLock { $0.details.taskDescription = newValue } }
    }

    /// The priority, from 0 to 1. It is stored without effect.
    ///
    /// HTTP/1.1 has no priorities, and libcurl sends none by default.
    open var priority: Float {
        get { core.state.withLock { $0.details.priority } }
        set { core.state.withLock { $0.details.priority = min(max(newValue, 0), 1) } }
    }

    /// The earliest time to start loading after the task was resumed. `nil` for at once.
    ///
    /// Set it before the task is resumed.
    open var earliestBeginDate: Date? {
        get { core.state.withLock { $0.details.earliestBeginDate } }
        set { core.state.withLock { $0.details.earliestBeginDate = newValue } }
    }

    // MARK: Life cycle

    /// The task's state.
    open var state: URLSessionTask.State { core.state.withLock { $0.life.state } }

    /// The error that the task failed with; `nil` if it hasn't failed.
    open var error: (any Error)? { core.state.withLock { $0.error } }

    /// Ends the task with `URLError.cancelled`, unless it has completed.
    ///
    /// Returns at once. After it the delegate only gets the metrics and the completion.
    open func cancel() {
        core.cancel()
    }

    /// Pauses the flow in both directions.
    ///
    /// A request in flight is kept, so that none is sent twice. What is being read at the time of
    /// the call may still be delivered. Suspended time doesn't count for the idle timeout, but
    /// counts for the timeout of the whole task.
    ///
    /// Calls are counted: each needs one call of ``resume()``. A new task counts as suspended once.
    /// So if it is suspended before it has started, it starts with the second call of
    /// ``resume()``.
    open func suspend() {
        core.suspend(self)
    }

    /// Starts or continues the task.
    open func resume() {
        core.resume(self)
    }
}

extension URLSessionTask {
    /// The state of a task.
    public enum State: Int, Sendable {
        /// The task is loading.
        case running
        /// The task wasn't resumed yet, or was suspended.
        case suspended
        /// The task was cancelled, and hasn't completed yet.
        case canceling
        /// The task has completed.
        case completed
    }
}

// `@unchecked Sendable`: it adds no stored property to those of ``URLSessionTask``.
/// A task that delivers the response's body in memory.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// What the cache knows about tasks. It lies below them, but its methods must take tasks and be
// open, as Foundation's are. The alias has the role of Apple's `@class NSURLSessionDataTask;`.

extension URLCache {
    /// A task whose response a cache can store.
    public typealias DataTask = URLSessionDataTask
}

extension URLSessionDataTask {
    /// The request under which a response of this task is stored.
    var cacheableRequest: URLRequest? { currentRequest ?? originalRequest }
}

/// An unknown number of bytes: -1.
public let NSURLSessionTransferSizeUnknown: Int64 = -1
