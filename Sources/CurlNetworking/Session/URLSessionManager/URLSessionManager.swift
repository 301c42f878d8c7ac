public import CurlURLSession
public import Dispatch
public import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. An open class can't be `Sendable` otherwise. A subclass is responsible
// for the properties that it adds.
/// Creates the tasks of a session, and serializes their responses.
///
/// It corresponds to AFNetworking's `AFURLSessionManager`.
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
/// The session delivers its events on ``operationQueue``, where all handlers and progress handlers
/// are called. Responses are serialized on a queue that all managers share, at most as many at once
/// as there are processors. Completion handlers are called on ``completionQueue``: **on the main
/// queue unless one is set**. If a program never drains its main queue, none of them is called; one
/// warning is written to the standard error after five seconds. Services set ``completionQueue``,
/// or use the asynchronous methods.
///
/// The events of each task come in this order: its notification that it was resumed; the request
/// for a stream, if it sends one; upload progress; redirects; the response; download progress; for
/// a download the destination, the move of the file and its notification; the metrics; the handler
/// for completed tasks; its completion handler, exactly once; the notification that it has
/// completed.
///
/// A manager is released with the last reference to it and its last task in flight. Then its
/// session is invalidated; tasks that were never resumed can still be resumed. A task that is
/// neither resumed nor cancelled keeps the session's connections open.
///
/// Every method and property may be used on any thread, at any time.
open class URLSessionManager: NSObject, NSCopying, @unchecked Sendable {
    let core: ManagerCore

    /// Creates a manager.
    ///
    /// - Parameter configuration: The session's configuration, which is copied;
    ///   `URLSessionConfiguration.default` if `nil`.
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

    deinit { core.release() }

    /// Creates another manager with the same session configuration.
    ///
    /// It has a session of its own, and no handlers, queues or tasks.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Creates another manager with the same session configuration; see ``copy()``.
    open func copy(with zone: NSZone?) -> Any {
        URLSessionManager(sessionConfiguration: core.read(\.configuration))
    }

    /// The class, the session and the operation queue.
    open override var description: String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        return "<\(type(of: self)): 0x\(address), session: \(session), "
            + "operationQueue: \(operationQueue)>"
    }

    // MARK: Components

    /// The session of the manager's tasks.
    ///
    /// A reset replaces it; see ``invalidateSessionCancelingTasks(_:resetSession:)``.
    open var session: URLSession { core.session }

    /// The serial queue on which all handlers and progress handlers are called.
    ///
    /// It doesn't limit concurrent requests. But a slow handler delays the handlers of all tasks.
    open var operationQueue: OperationQueue { core.operationQueue }

    /// Serializes responses; JSON by default.
    ///
    /// It is read when a task's response is complete, so a new one also applies to tasks in flight.
    /// Several tasks use it at once.
    open var responseSerializer: any URLResponseSerialization {
        get { core.read(\.responseSerializer) }
        set { core.change(\.responseSerializer, to: newValue) }
    }

    /// Evaluates servers' certificates before anything is sent to them.
    ///
    /// A new policy applies to all requests that start afterwards; they use new connections.
    /// Changes to the policy object itself apply to connections that are made afterwards.
    open var securityPolicy: SecurityPolicy {
        get { core.read(\.securityPolicy) }
        set { core.setSecurityPolicy(newValue) }
    }

    /// Reports whether a network is reachable.
    ///
    /// The manager neither reads nor starts it. It is ``NetworkReachabilityManager/shared()`` by
    /// default.
    open var reachabilityManager: NetworkReachabilityManager {
        get { core.read(\.reachabilityManager) }
        set { core.change(\.reachabilityManager, to: newValue) }
    }

    /// The queue of completion handlers; `nil`, the default, for the main queue.
    open var completionQueue: DispatchQueue? {
        get { core.read(\.completionQueue) }
        set { core.change(\.completionQueue, to: newValue) }
    }

    /// The group of completion handlers; `nil`, the default, for a private group.
    ///
    /// A task enters it when it completes, not when it is created.
    open var completionGroup: DispatchGroup? {
        get { core.read(\.completionGroup) }
        set { core.change(\.completionGroup, to: newValue) }
    }

    /// Whether download progress counts bytes before decompression; `false` by default.
    ///
    /// By default decoded bytes are counted, as in AFNetworking. The decoded size of a compressed
    /// response is unknown, so its fraction stays 0 to the end. With `true` the fraction grows, if
    /// the server sends the length. A change applies to later progress events.
    open var downloadProgressCountsEncodedBytes: Bool {
        get { core.read(\.countsEncodedBytes) }
        set { core.change(\.countsEncodedBytes, to: newValue) }
    }

    // MARK: Data tasks

    /// Creates a task for a request.
    ///
    /// The task starts with `resume()`. Its own delegate belongs to the manager: if you replace it,
    /// the completion handler isn't called.
    ///
    /// A subclass overrides this method to change how data tasks are created. The methods of
    /// ``HTTPSessionManager`` for HTTP methods use it, and so do the asynchronous methods. The latter
    /// call the handler that the override passes to `super` on no particular queue.
    ///
    /// An override must call the completion handler once, on every path. If it retries in the handler
    /// that it passes to `super`, with the same URL and the same method, the retry has the serializer
    /// and the interceptor of the asynchronous method. A task that it creates later uses the
    /// manager's.
    ///
    /// - Parameters:
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body arrives.
    ///   - completionHandler: Called on ``completionQueue``, exactly once if the task is resumed or
    ///     cancelled.
    open func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        let taskOptions = TaskOptions(
            consumer: completionHandler.map { .handler($0) } ?? .noHandler,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress
        )
        let delegate = delegate(taskOptions, for: request)
        return core.created(session.dataTask(with: request, delegate: delegate))
    }

    // MARK: Upload tasks

    /// Creates a task that uploads a file, with its size as the length.
    ///
    /// The request's own body is ignored. If the file doesn't exist, the task fails when it starts.
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
        let delegate = uploadDelegate(request, progress, completionHandler)
        return core.created(
            session.uploadTask(with: request, fromFile: fileURL, delegate: delegate)
        )
    }

    /// Creates a task that uploads `bodyData`; if `nil`, the request's own body.
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
        let delegate = uploadDelegate(request, progress, completionHandler)
        return core.created(session.uploadTask(with: request, from: body, delegate: delegate))
    }

    /// Creates a task that uploads a stream.
    ///
    /// The handler of ``setTaskNeedNewBodyStream(_:)`` provides the stream; without a handler it is
    /// the request's own. The length is the request's `Content-Length`; without that field, the
    /// body is sent in chunks.
    ///
    /// - Parameters:
    ///   - progress: Called on ``operationQueue`` as the stream is sent.
    ///   - completionHandler: Called on ``completionQueue``.
    open func uploadTask(
        withStreamedRequest request: URLRequest,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        let delegate = uploadDelegate(request, progress, completionHandler)
        return core.created(session.uploadTask(askingForStreamOf: request, delegate: delegate))
    }

    /// Creates a task that uploads an asynchronous sequence. The request's own body is ignored.
    ///
    /// The sequence is iterated as fast as the connection accepts its bytes. An interceptor can
    /// retry the upload only if the sequence can be restarted, or wasn't begun. The handler of
    /// ``setTaskNeedNewBodyStream(_:)`` isn't called. AFNetworking doesn't have this method.
    ///
    /// - Parameters:
    ///   - sequence: The body, with its length if that is known.
    ///   - progress: Called on ``operationQueue`` as the sequence is sent. Its total is -1 if the
    ///     length is unknown.
    ///   - completionHandler: Called on ``completionQueue``.
    open func uploadTask(
        with request: URLRequest,
        from sequence: UploadSequence,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        let delegate = uploadDelegate(request, progress, completionHandler)
        return core.created(
            session.uploadTask(with: request, from: sequence, delegate: delegate)
        )
    }

    private func uploadDelegate(
        _ request: URLRequest,
        _ progress: ProgressHandler?,
        _ completionHandler: CompletionHandler?
    ) -> URLSessionManagerTaskDelegate {
        let consumer = completionHandler.map { OutcomeConsumer.handler($0) } ?? .noHandler
        let taskOptions = TaskOptions(consumer: consumer, uploadProgress: progress)
        return delegate(taskOptions, for: request)
    }

    // MARK: Download tasks

    /// Creates a task that downloads a file.
    ///
    /// The response's body goes into the file, whatever the status: also the body of an error
    /// response. If the serializer doesn't accept the status, the completion handler gets an error
    /// as well. The serializer gets an empty body. Without a destination, and without a handler of
    /// ``setDownloadTaskDidFinishDownloading(_:)``, the file isn't kept.
    ///
    /// - Parameters:
    ///   - options: How the file may get to its destination. By default nothing is overwritten and
    ///     no folder is created.
    ///   - progress: Called on ``operationQueue`` as the file grows.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    ///   - completionHandler: Called on ``completionQueue``. If the file couldn't be moved, it gets
    ///     both the destination and the error.
    open func downloadTask(
        with request: URLRequest,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        destination: Destination? = nil,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        let delegate = downloadDelegate(request, options, progress, destination, completionHandler)
        return core.created(session.downloadTask(with: request, delegate: delegate))
    }

    /// Creates a task that resumes a cancelled or failed download.
    ///
    /// If `resumeData` isn't valid, the task fails when it starts.
    ///
    /// - Parameters:
    ///   - resumeData: From `URLSessionDownloadTask.cancel(byProducingResumeData:)`, or from an
    ///     error's `downloadTaskResumeData`.
    ///   - options: How the file may get to its destination.
    ///   - progress: Called on ``operationQueue``; starts with the existing bytes.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    ///   - completionHandler: Called on ``completionQueue``.
    open func downloadTask(
        withResumeData resumeData: Data,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        destination: Destination? = nil,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        let delegate = downloadDelegate(nil, options, progress, destination, completionHandler)
        return core.created(session.downloadTask(withResumeData: resumeData, delegate: delegate))
    }

    private func downloadDelegate(
        _ request: URLRequest?,
        _ options: DownloadOptions,
        _ progress: ProgressHandler?,
        _ destination: Destination?,
        _ completionHandler: DownloadCompletionHandler?
    ) -> URLSessionManagerTaskDelegate {
        let taskOptions = TaskOptions(
            consumer: completionHandler.map { .downloadHandler($0) } ?? .noHandler,
            downloadProgress: progress,
            destination: destination,
            downloadOptions: options
        )
        return delegate(taskOptions, for: request)
    }

    /// Why tasks for a request fail before anything is sent; `nil` if they don't.
    func refusal(of request: URLRequest) -> (any Error)? { nil }

    /// Creates a new task's delegate.
    ///
    /// - Parameter request: The task's request; `nil` for resume data.
    func delegate(
        _ taskOptions: TaskOptions,
        for request: URLRequest?
    ) -> URLSessionManagerTaskDelegate {
        var taskOptions = taskOptions
        var serializer: (any URLResponseSerialization)?
        if isOfSubclass, let pending = PendingTask.current {
            serializer = pending.complete(&taskOptions, for: request, of: core)
        }
        taskOptions.interceptor = interceptor(for: request, own: taskOptions.interceptor)
        let delegate = URLSessionManagerTaskDelegate(
            manager: self,
            core: core,
            taskOptions: taskOptions
        )
        if let serializer { delegate.setSerializer(serializer) }
        return delegate
    }
}
