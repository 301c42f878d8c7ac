public import CurlURLSession
public import Foundation

// Tasks that pass bodies to handlers.

extension URLSessionManager {
    /// Decides whether to receive a response's body, when its head is received.
    public typealias ResponseHandler =
        @Sendable (URLResponse) throws -> URLSession.ResponseDisposition

    /// Receives a piece of a body.
    ///
    /// An error that it throws ends the task, and is passed to the completion handler.
    public typealias DataHandler = @Sendable (Data) throws -> Void

    /// Creates a suspended task that passes its body to a handler.
    ///
    /// The body isn't stored. The serializer checks the response at the end, and receives an empty
    /// body. While `onData` runs, at most about 768 KiB are received from the server for this task.
    /// The handlers of other tasks wait, too.
    ///
    /// - Parameters:
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body is received.
    ///   - onResponse: Called on ``operationQueue`` when the head is received, instead of the
    ///     handler of ``setDataTaskDidReceiveResponse(_:)``. With `.cancel` the task fails with
    ///     `URLError.cancelled`. An error that it throws ends the task, and is passed to the
    ///     completion handler.
    ///   - onData: Called on ``operationQueue`` with each piece.
    ///   - completionHandler: Called on ``completionQueue``, exactly once if the task is resumed or
    ///     cancelled.
    public func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        onResponse: ResponseHandler? = nil,
        onData: @escaping DataHandler,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        let taskOptions = TaskOptions(
            consumer: completionHandler.map { .handler($0) } ?? .noHandler,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            onResponse: onResponse,
            onData: onData
        )
        let delegate = delegate(taskOptions, for: request)
        return core.created(session.dataTask(with: request, delegate: delegate))
    }
}
