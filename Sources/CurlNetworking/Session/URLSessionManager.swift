public import CurlURLSession
public import Dispatch
public import Foundation

/// Creates tasks of a session and tells each one's completion what its response stands for.
///
/// AFNetworking's `AFURLSessionManager`.
///
/// ```swift
/// let manager = URLSessionManager()
/// manager.completionQueue = DispatchQueue(label: "answers")
/// let task = manager.dataTask(with: URLRequest(url: url)) { response, object, error in
///     print(object ?? error ?? "nothing")
/// }
/// task.resume()
/// ```
///
/// What a task brings is collected on ``operationQueue``, where all handlers and progress handlers are
/// called. A response is serialized on a queue that all managers share, several at once, but no more
/// than there are processors. Completion handlers are called on ``completionQueue``: **on the main queue
/// unless one is set**. A program that never drains its main queue sees none of them; one warning is
/// written to the standard error after five seconds. Services set ``completionQueue``, or use the
/// asynchronous methods.
///
/// For each task comes, in this order: its notification that it was resumed; the stream that it sends, if
/// one is asked for; progress of what it sends; redirects; the response; progress of what it receives; for
/// a download the destination, the move of the file and its notification; the metrics; the handler
/// for tasks that are over; its completion, exactly once; the notification that it is over.
///
/// A manager goes with the last reference to it and with the last of its tasks that is under way. Then its
/// session is invalidated: tasks that were never resumed can still be. Whoever creates a task and neither
/// resumes nor cancels it keeps the session's connections.
///
/// Every method and property may be used on any thread, at any time.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLSessionManager: NSObject, NSCopying, @unchecked Sendable {
    let core: ManagerCore

    /// Creates a manager.
    ///
    /// - Parameter configuration: Its session's, which is copied; with `nil`,
    ///   `URLSessionConfiguration.default`.
    public init(sessionConfiguration configuration: URLSessionConfiguration?) {
        core = ManagerCore(configuration: configuration)
    }

    /// Creates a manager with the default configuration.
    public override convenience init() {
        self.init(sessionConfiguration: nil)
    }

    init(core: ManagerCore) {
        self.core = core
    }

    deinit { core.letGo() }

    /// Another manager with the same session configuration, and nothing else of this one's: a session of
    /// its own, no handlers, queues or tasks.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Another manager with the same session configuration; see ``copy()``.
    open func copy(with zone: NSZone?) -> Any {
        URLSessionManager(sessionConfiguration: core.read(\.configuration))
    }

    /// The class, the session and the operation queue.
    open override var description: String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        return "<\(type(of: self)): 0x\(address), session: \(session), "
            + "operationQueue: \(operationQueue)>"
    }

    // MARK: What it consists of

    /// The session of the manager's tasks. There is a new one after a reset; see
    /// ``invalidateSessionCancelingTasks(_:resetSession:)``.
    open var session: URLSession { core.session }

    /// Where all handlers and progress handlers are called, one at a time. That limits no requests, of
    /// which many may be under way; but a handler that takes its time holds up those of all tasks.
    open var operationQueue: OperationQueue { core.operationQueue }

    /// Makes objects of responses. It is asked when a task's response is complete: another one counts for
    /// tasks that are under way, too. It is used by several tasks at once.
    open var responseSerializer: any URLResponseSerialization {
        get { core.read(\.responseSerializer) }
        set { core.change(\.responseSerializer, to: newValue) }
    }

    /// Judges servers by their certificates before anything is sent to them. Another one counts for all
    /// requests that begin from then on, which use new connections; what is changed in the policy itself
    /// counts for connections that are made afterwards.
    open var securityPolicy: SecurityPolicy {
        get { core.read(\.securityPolicy) }
        set { core.setSecurityPolicy(newValue) }
    }

    /// Tells whether there is a network. The manager doesn't ask it, and doesn't start it; by default,
    /// ``NetworkReachabilityManager/shared()``.
    open var reachabilityManager: NetworkReachabilityManager {
        get { core.read(\.reachabilityManager) }
        set { core.change(\.reachabilityManager, to: newValue) }
    }

    /// Where completion handlers are called; `nil`, the default, stands for the main queue.
    open var completionQueue: DispatchQueue? {
        get { core.read(\.completionQueue) }
        set { core.change(\.completionQueue, to: newValue) }
    }

    /// What completion handlers are members of; `nil`, the default, stands for a group that nobody
    /// else has. A task enters it when it has come to its end, not when it is created.
    open var completionGroup: DispatchGroup? {
        get { core.read(\.completionGroup) }
        set { core.change(\.completionGroup, to: newValue) }
    }

    /// Whether the progress of responses counts bytes as they come over the connection, still compressed;
    /// no by default: decoded bytes are counted, as AFNetworking does.
    ///
    /// Nobody knows how many decoded bytes a compressed response will have, so its fraction stays 0 to the
    /// end. With this it grows, where the server tells the length. It counts for news from then on.
    open var downloadProgressCountsEncodedBytes: Bool {
        get { core.read(\.countsEncodedBytes) }
        set { core.change(\.countsEncodedBytes, to: newValue) }
    }

    // MARK: Data tasks

    /// Creates a task for a request. It begins with `resume()`.
    ///
    /// The task's own delegate belongs to the manager: with another one, the completion isn't told.
    ///
    /// - Parameters:
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body comes.
    ///   - completionHandler: Called on ``completionQueue``, exactly once if the task is resumed or
    ///     cancelled.
    open func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        let wishes = TaskWishes(
            consumer: completionHandler.map { .handler($0) } ?? .nobody,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress
        )
        return core.created(session.dataTask(with: request, delegate: delegate(wishes)))
    }

    // MARK: Upload tasks

    /// Creates a task that sends a file, with its size as the length. The request's own body is left out.
    /// Without the file, the task fails when it begins.
    ///
    /// - Parameters:
    ///   - progress: Called on ``operationQueue`` as the file is sent.
    ///   - completionHandler: Called on ``completionQueue``.
    open func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        let delegate = uploadDelegate(progress, completionHandler)
        return core.created(
            session.uploadTask(with: request, fromFile: fileURL, delegate: delegate)
        )
    }

    /// Creates a task that sends `bodyData`, or the request's own body with `nil`.
    ///
    /// - Parameters:
    ///   - progress: Called on ``operationQueue`` as the body is sent.
    ///   - completionHandler: Called on ``completionQueue``.
    open func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        let body = bodyData ?? request.httpBody ?? Data()
        let delegate = uploadDelegate(progress, completionHandler)
        return core.created(session.uploadTask(with: request, from: body, delegate: delegate))
    }

    /// Creates a task that sends the request's stream, or those that the handler of
    /// ``setTaskNeedNewBodyStream(_:)`` has.
    ///
    /// Its length is what the request's `Content-Length` says; without that field, it is sent in chunks.
    ///
    /// - Parameters:
    ///   - progress: Called on ``operationQueue`` as the stream is sent.
    ///   - completionHandler: Called on ``completionQueue``.
    open func uploadTask(
        withStreamedRequest request: URLRequest,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        let delegate = uploadDelegate(progress, completionHandler)
        return core.created(session.uploadTask(askingForStreamOf: request, delegate: delegate))
    }

    private func uploadDelegate(
        _ progress: ProgressHandler?,
        _ completionHandler: CompletionHandler?
    ) -> URLSessionManagerTaskDelegate {
        let consumer = completionHandler.map { OutcomeConsumer.handler($0) } ?? .nobody
        return delegate(TaskWishes(consumer: consumer, uploadProgress: progress))
    }

    // MARK: Download tasks

    /// Creates a task that writes the response's body to a file, whatever the response's status is: a
    /// server's words about a failure end up in the file, and the completion is told an error, too, if
    /// the serializer minds the status.
    ///
    /// The serializer sees an empty body. Without a destination, and without a handler of
    /// ``setDownloadTaskDidFinishDownloading(_:)``, the file isn't kept.
    ///
    /// - Parameters:
    ///   - options: What may be done for the file to get there. By default nothing is overwritten and no
    ///     folder is created.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    ///   - completionHandler: Called on ``completionQueue``. If the file couldn't be moved, there are both
    ///     the place where it was to go, and the reason.
    open func downloadTask(
        with request: URLRequest,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        destination: Destination? = nil,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        let delegate = downloadDelegate(options, progress, destination, completionHandler)
        return core.created(session.downloadTask(with: request, delegate: delegate))
    }

    /// Creates a task that goes on with a download where it was cancelled or has failed. With data that
    /// isn't resume data it fails when it begins.
    ///
    /// - Parameters:
    ///   - resumeData: From `URLSessionDownloadTask.cancel(byProducingResumeData:)`, or from an error's
    ///     `downloadTaskResumeData`.
    ///   - options: What may be done for the file to get there.
    ///   - progress: Called on ``operationQueue``; begins with what there was.
    ///   - destination: Called on ``operationQueue``; says where the file is moved.
    ///   - completionHandler: Called on ``completionQueue``.
    open func downloadTask(
        withResumeData resumeData: Data,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        destination: Destination? = nil,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        let delegate = downloadDelegate(options, progress, destination, completionHandler)
        return core.created(session.downloadTask(withResumeData: resumeData, delegate: delegate))
    }

    private func downloadDelegate(
        _ options: DownloadOptions,
        _ progress: ProgressHandler?,
        _ destination: Destination?,
        _ completionHandler: DownloadCompletionHandler?
    ) -> URLSessionManagerTaskDelegate {
        let wishes = TaskWishes(
            consumer: completionHandler.map { .downloadHandler($0) } ?? .nobody,
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options
        )
        return delegate(wishes)
    }

    /// What a new task's delegate is.
    func delegate(_ wishes: TaskWishes) -> URLSessionManagerTaskDelegate {
        var wishes = wishes
        wishes.interceptor = Interceptor.joined(core.read(\.interceptor), wishes.interceptor)
        return URLSessionManagerTaskDelegate(manager: self, core: core, wishes: wishes)
    }
}
