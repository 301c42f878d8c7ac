public import Foundation

/// Loads what URLs name, over HTTP, by tasks.
///
/// ```swift
/// let (data, response) = try await URLSession.shared.data(from: url)
/// ```
///
/// A task is created suspended, and begins with ``URLSessionTask/resume()``. What it brings is told to
/// a completion handler or to the delegate, on the session's delegate queue, or answered by an
/// asynchronous method, whose Swift task goes on beside that queue. Nothing that a server sends, and
/// nothing that a request says, traps: it ends the task with an error.
///
/// Each session has connections of its own, and keeps a copy of its configuration. It costs no thread
/// before its first request goes over the network. It holds its delegate, and tasks that aren't over,
/// until it is invalidated. Every method may be called on any thread.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLSession: NSObject, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let core: SessionCore
    }

    private static let sharedSession = URLSession(
        core: SessionCore(configuration: .default, delegate: nil, queue: nil, isShared: true)
    )

    /// A session for everybody in the process, with the default configuration and no delegate. It
    /// can't be invalidated.
    open class var shared: URLSession { sharedSession }

    final var core: SessionCore { content.core }

    /// Creates a session without a delegate.
    ///
    /// - Parameter configuration: Is copied; later changes to it don't matter.
    public init(configuration: URLSessionConfiguration) {
        content = Content(
            core: SessionCore(configuration: configuration, delegate: nil, queue: nil)
        )
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: Is copied; later changes to it don't matter.
    ///   - delegate: Is told what its methods say, and held until the session is invalidated.
    ///   - queue: Where the delegate and completion handlers are called, one call at a time, however
    ///     many operations it runs at once; with `nil`, a serial queue of the session's own.
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

    /// Where the delegate and completion handlers are called.
    open var delegateQueue: OperationQueue { core.events.queue }

    /// The session's delegate; `nil` once the session has become invalid.
    open var delegate: (any URLSessionDelegate)? { core.delegates?.base }

    /// A copy of the session's configuration.
    open var configuration: URLSessionConfiguration {
        core.configuration.copy() as? URLSessionConfiguration ?? core.configuration
    }

    /// A name for the session, which means nothing to it.
    open var sessionDescription: String? {
        get { core.sessionDescription }
        set { core.sessionDescription = newValue }
    }

    // MARK: The end

    /// Takes no more tasks, and lets the delegate go once those that there are have ended. The shared
    /// session ignores it.
    open func finishTasksAndInvalidate() {
        core.invalidate(self, cancelsTasks: false)
    }

    /// Cancels all tasks, takes no more, and lets the delegate go once those have ended. The shared
    /// session ignores it.
    open func invalidateAndCancel() {
        core.invalidate(self, cancelsTasks: true)
    }

    /// Forgets cookies, cached responses and credentials, and uses new connections from now on.
    ///
    /// - Parameter completionHandler: Called on the delegate queue when that is done.
    open func reset(completionHandler: @escaping @Sendable () -> Void) {
        core.reset()
        core.events.append(.call(completionHandler))
    }

    /// Has cached responses written to the disk, and uses new connections from now on. Cookies and
    /// credentials are stored when they come.
    ///
    /// - Parameter completionHandler: Called on the delegate queue when that is done.
    open func flush(completionHandler: @escaping @Sendable () -> Void) {
        core.flush(then: completionHandler)
    }

    // MARK: Which tasks there are

    /// Tells which data, upload and download tasks aren't over, those that never began included.
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
                let sorted = core.tasksByKind
                completionHandler(sorted.data, sorted.upload, sorted.download)
            }
        )
    }

    /// Tells which tasks aren't over, those that never began included.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        core.events.append(.call { [core] in completionHandler(core.tasks) })
    }

    // MARK: Data tasks

    /// Creates a task whose response is told to the delegate.
    open func dataTask(with request: URLRequest) -> URLSessionDataTask {
        makeDataTask(request, .delegate)
    }

    /// Creates a task whose response is told to the delegate.
    open func dataTask(with url: URL) -> URLSessionDataTask {
        makeDataTask(URLRequest(url: url), .delegate)
    }

    /// Creates a task whose response is told to a handler, as a whole, on the delegate queue.
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        makeDataTask(request, .dataHandler(completionHandler))
    }

    /// Creates a task whose response is told to a handler, as a whole, on the delegate queue.
    open func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        makeDataTask(URLRequest(url: url), .dataHandler(completionHandler))
    }

    // MARK: Upload tasks

    /// Creates a task that sends a file. The request's own body is left out.
    open func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .delegate)
    }

    /// Creates a task that sends `bodyData`. The request's own body is left out.
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        makeUploadTask(request, .data(bodyData), .delegate)
    }

    /// Creates a task that sends what a stream has: the request's, or one for which the delegate is
    /// asked.
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        makeUploadTask(request, request.state.body.stream == nil ? .asked : nil, .delegate)
    }

    /// Creates a task that sends a file, and tells its response to a handler on the delegate queue.
    open func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, .file(fileURL), .dataHandler(completionHandler))
    }

    /// Creates a task that sends `bodyData`, or the request's own body with `nil`, and tells its
    /// response to a handler on the delegate queue.
    open func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(request, bodyData.map { .data($0) }, .dataHandler(completionHandler))
    }

    // MARK: Download tasks

    /// Creates a task that writes the response's content to a file, as the delegate is told.
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        makeDownloadTask(request, .delegate)
    }

    /// Creates a task that writes the response's content to a file, as the delegate is told.
    open func downloadTask(with url: URL) -> URLSessionDownloadTask {
        makeDownloadTask(URLRequest(url: url), .delegate)
    }

    /// Creates a task that goes on with a download where it was cancelled or has failed; see
    /// ``URLSessionDownloadTask/cancel(byProducingResumeData:)`` and
    /// ``Foundation/URLError/downloadTaskResumeData``.
    ///
    /// The server is asked for the rest, provided that the content is still the same (`If-Range`,
    /// RFC 9110, 13.1.5). Where it sends something else, all of it is loaded anew, and the delegate is
    /// told an offset of 0. With data that isn't resume data, or whose file is gone, the task fails.
    open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: resumeData, .delegate)
    }

    /// Creates a task that writes the response's content to a file.
    ///
    /// - Parameter completionHandler: Called on the delegate queue. The file is removed when it
    ///   returns.
    open func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(request, .fileHandler(completionHandler))
    }

    /// Creates a task that writes the response's content to a file.
    ///
    /// - Parameter completionHandler: Called on the delegate queue. The file is removed when it
    ///   returns.
    open func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        makeDownloadTask(URLRequest(url: url), .fileHandler(completionHandler))
    }

    /// Creates a task that goes on with a download where it was cancelled.
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

    /// Creates a task that reads and writes the bytes of a TCP connection.
    open func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask {
        makeStreamTask(hostname, port)
    }

    /// Creates a task that exchanges messages with a server. The URL's scheme is `ws` or `wss`.
    open func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
        makeWebSocketTask(URLRequest(url: url))
    }

    /// Creates a task that exchanges messages with a server. The URL's scheme is `ws` or `wss`.
    ///
    /// - Parameter protocols: The subprotocols that the server may choose from, the preferred one first.
    open func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
        var request = URLRequest(url: url)
        if !protocols.isEmpty {
            let names = protocols.joined(separator: ", ")
            request.setValue(names, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        return makeWebSocketTask(request)
    }

    /// Creates a task that exchanges messages with a server. The URL's scheme is `ws` or `wss`. Of the
    /// request its header fields count, and its time limit, which is for the server's first answer.
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
        makeWebSocketTask(request)
    }
}
