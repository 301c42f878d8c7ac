public import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The compiler accepts no checked conformance for a class that is open to
// subclassing; a subclass is responsible for its own stored properties.
/// Loads URLs over HTTP with tasks.
///
/// ```swift
/// let (data, response) = try await URLSession.shared.data(from: url)
/// ```
///
/// A task is created suspended, and starts with ``URLSessionTask/resume()``. Completion handlers
/// and the delegate are called on the session's delegate queue. The asynchronous methods don't wait
/// for that queue. Nothing that a server sends or a request contains traps: it ends the task with
/// an error.
///
/// Each session has its own connections, and keeps a copy of its configuration. It uses no thread
/// before its first request over the network. It holds its delegate and its unfinished tasks until
/// it is invalidated. Every method may be called on any thread.
open class URLSession: NSObject, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let core: SessionCore
    }

    private static let sharedSession = URLSession(
        core: SessionCore(configuration: .default, delegate: nil, queue: nil, isShared: true)
    )

    /// The process-wide session, with the default configuration and no delegate.
    ///
    /// It can't be invalidated.
    open class var shared: URLSession { sharedSession }

    final var core: SessionCore { content.core }

    /// Creates a session without a delegate.
    ///
    /// - Parameter configuration: Copied; later changes have no effect.
    public init(configuration: URLSessionConfiguration) {
        content = Content(
            core: SessionCore(configuration: configuration, delegate: nil, queue: nil)
        )
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: Copied; later changes have no effect.
    ///   - delegate: The session's delegate, held until the session is invalidated.
    ///   - queue: The queue on which the delegate and completion handlers are called. Calls are
    ///     serial, even on a concurrent queue. With `nil`, the session creates a serial queue.
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        content = Content(
            core: SessionCore(configuration: configuration, delegate: delegate, queue: queue)
        )
    }

    private init(core: SessionCore) {
        content = Content(core: core)
    }

    /// The queue on which the delegate and completion handlers are called.
    open var delegateQueue: OperationQueue { core.events.queue }

    /// The session's delegate; `nil` after the session has become invalid.
    open var delegate: (any URLSessionDelegate)? { core.delegates?.base }

    /// A copy of the session's configuration.
    open var configuration: URLSessionConfiguration {
        core.configuration.copy() as? URLSessionConfiguration ?? core.configuration
    }

    /// A description for debugging. The session doesn't use it.
    open var sessionDescription: String? {
        get { core.sessionDescription }
        set { core.sessionDescription = newValue }
    }

    // MARK: Invalidation

    /// Refuses new tasks. Releases the delegate when the existing tasks have ended.
    ///
    /// Does nothing for the shared session.
    open func finishTasksAndInvalidate() {
        core.invalidate(self, cancelsTasks: false)
    }

    /// Cancels all tasks, and refuses new ones.
    ///
    /// Releases the delegate when the tasks have ended. Does nothing for the shared session.
    open func invalidateAndCancel() {
        core.invalidate(self, cancelsTasks: true)
    }

    /// Removes cookies, cached responses and credentials, and uses new connections afterwards.
    ///
    /// - Parameter completionHandler: Called on the delegate queue when this is done.
    open func reset(completionHandler: @escaping @Sendable () -> Void) {
        core.reset()
        core.events.append(.call(completionHandler))
    }

    /// Writes cached responses to disk, and uses new connections afterwards.
    ///
    /// Cookies and credentials are always stored as soon as they arrive.
    ///
    /// - Parameter completionHandler: Called on the delegate queue when this is done.
    open func flush(completionHandler: @escaping @Sendable () -> Void) {
        core.flush(then: completionHandler)
    }

    // MARK: Listing tasks

    /// Passes the data, upload and download tasks in progress.
    ///
    /// See ``getAllTasks(completionHandler:)``.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable (
                [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
            ) -> Void
    ) {
        core.events.append(
            .call { [core] in
                let sorted = SortedTasks(core.tasksInProgress)
                completionHandler(sorted.data, sorted.upload, sorted.download)
            }
        )
    }

    /// Passes all tasks in progress.
    ///
    /// As in FoundationNetworking, these are the running tasks, and those that were suspended after
    /// their start. They are neither tasks that were never resumed, nor those that are being
    /// cancelled: after ``invalidateAndCancel()`` there are none. The handler gets the tasks that
    /// are in progress when it is called, in the order of their creation.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        core.events.append(.call { [core] in completionHandler(core.tasksInProgress) })
    }

    // MARK: Data tasks

    /// Creates a task that delivers its response to the delegate.
    open func dataTask(with request: URLRequest) -> URLSessionDataTask {
        makeDataTask(request, .delegate)
    }

    /// Creates a task that delivers its response to the delegate.
    open func dataTask(with url: URL) -> URLSessionDataTask {
        makeDataTask(URLRequest(url: url), .delegate)
    }

    /// Creates a task that passes its complete response to a handler.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        makeDataTask(request, .dataHandler(completionHandler))
    }

    /// Creates a task that passes its complete response to a handler.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        makeDataTask(URLRequest(url: url), .dataHandler(completionHandler))
    }

    // MARK: Upload tasks

    /// Creates a task that uploads a file. The request's own body is ignored.
    open func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .delegate)
    }

    /// Creates a task that uploads `bodyData`. The request's own body is ignored.
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        makeUploadTask(request, .data(bodyData), .delegate)
    }

    /// Creates a task that uploads from a stream.
    ///
    /// It is the request's stream, or else one that the delegate provides.
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        makeUploadTask(request, request.state.body.stream == nil ? .asked : nil, .delegate)
    }

    /// Creates a task that uploads a file and passes its response to a handler.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .dataHandler(completionHandler))
    }

    /// Creates a task that uploads data and passes its response to a handler.
    ///
    /// - Parameters:
    ///   - bodyData: The body; with `nil`, the request's own body is sent.
    ///   - completionHandler: Called on the delegate queue.
    open func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, bodyData.map { .data($0) }, .dataHandler(completionHandler))
    }

    /// Creates a task that uploads an asynchronous sequence. The request's own body is ignored.
    ///
    /// The sequence is iterated as fast as the connection accepts its bytes; see
    /// ``UploadSequence``. The delegate isn't asked for a stream. Foundation doesn't have this
    /// method.
    open func uploadTask(
        with request: URLRequest,
        from sequence: UploadSequence
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .sequence(sequence), .delegate)
    }

    /// Creates a task that uploads an asynchronous sequence and passes its response to a handler.
    ///
    /// See ``UploadSequence``. Foundation doesn't have this method.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func uploadTask(
        with request: URLRequest,
        from sequence: UploadSequence,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .sequence(sequence), .dataHandler(completionHandler))
    }

    // MARK: Download tasks

    /// Creates a task that downloads to a file and calls the delegate.
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        makeDownloadTask(request, .delegate)
    }

    /// Creates a task that downloads to a file and calls the delegate.
    open func downloadTask(with url: URL) -> URLSessionDownloadTask {
        makeDownloadTask(URLRequest(url: url), .delegate)
    }

    /// Creates a task that resumes a cancelled or failed download.
    ///
    /// See ``URLSessionDownloadTask/cancel(byProducingResumeData:)`` and
    /// ``Foundation/URLError/downloadTaskResumeData``.
    ///
    /// The task requests the remaining bytes on the condition that the content is unchanged
    /// (`If-Range`, RFC 9110, 13.1.5). If the server sends anything else, the download restarts,
    /// and the delegate gets an offset of 0. If the resume data is invalid or its file is missing,
    /// the task fails with `URLError.unsupportedURL`.
    open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: resumeData, .delegate)
    }

    /// Creates a task that downloads the response's body to a file.
    ///
    /// - Parameter completionHandler: Called on the delegate queue. The file is removed when it
    ///   returns.
    open func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(request, .fileHandler(completionHandler))
    }

    /// Creates a task that downloads the response's body to a file.
    ///
    /// - Parameter completionHandler: Called on the delegate queue. The file is removed when it
    ///   returns.
    open func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(URLRequest(url: url), .fileHandler(completionHandler))
    }

    /// Creates a task that resumes a cancelled or failed download.
    ///
    /// - Parameter completionHandler: Called on the delegate queue. The file is removed when it
    ///   returns.
    open func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: resumeData, .fileHandler(completionHandler))
    }

    // MARK: Stream and WebSocket tasks

    /// Creates a task that reads and writes over a TCP connection.
    open func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask {
        makeStreamTask(hostname, port)
    }

    /// Creates a WebSocket task. The URL's scheme is `ws` or `wss`.
    open func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
        makeWebSocketTask(URLRequest(url: url))
    }

    /// Creates a WebSocket task. The URL's scheme is `ws` or `wss`.
    ///
    /// - Parameter protocols: The subprotocols that the server may choose from, the preferred one
    ///   first.
    open func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
        var request = URLRequest(url: url)
        if !protocols.isEmpty {
            let names = protocols.joined(separator: ", ")
            request.setValue(names, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        return makeWebSocketTask(request)
    }

    /// Creates a WebSocket task. The URL's scheme is `ws` or `wss`.
    ///
    /// Of the request, the header fields are used, and the timeout, which limits the wait for the
    /// server's handshake response.
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
        makeWebSocketTask(request)
    }
}
