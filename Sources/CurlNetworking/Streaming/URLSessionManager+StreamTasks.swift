public import CurlURLSession
public import Foundation

// The same with handlers.

extension URLSessionManager {
    /// Decides whether a response's body is wanted, once its head is there.
    public typealias ResponseHandler =
        @Sendable (URLResponse) throws -> URLSession.ResponseDisposition

    /// Takes a piece of a body. What it throws ends the task, and is what the completion is told.
    public typealias DataHandler = @Sendable (Data) throws -> Void

    /// Creates a task whose body is handed on piece by piece and not kept. It begins with `resume()`.
    ///
    /// The serializer checks the response at the end, and sees an empty body. While `onData` hasn't
    /// returned, no more than some 256 KiB are taken from the server for this task; the handlers of other
    /// tasks wait, too.
    ///
    /// - Parameters:
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    ///   - downloadProgress: Called on ``operationQueue`` as the response's body comes.
    ///   - onResponse: Called on ``operationQueue`` when the head is there, in the place of the handler of
    ///     ``setDataTaskDidReceiveResponse(_:)``. With `.cancel` the task ends with `URLError.cancelled`;
    ///     what it throws ends the task, and is what the completion is told.
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
        let wishes = TaskWishes(
            consumer: completionHandler.map { .handler($0) } ?? .nobody,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            onResponse: onResponse,
            onData: onData
        )
        return core.created(session.dataTask(with: request, delegate: delegate(wishes)))
    }
}
