internal import CurlURLSession
internal import Foundation

/// What a manager's user wants of one task.
struct TaskWishes: Sendable {
    var consumer = OutcomeConsumer.nobody
    var uploadProgress: URLSessionManager.ProgressHandler?
    var downloadProgress: URLSessionManager.ProgressHandler?
    var destination: URLSessionManager.Destination?
    var downloadOptions: DownloadOptions = []
    /// Of the manager, and of this task.
    var interceptor: (any RequestInterceptor)?
    /// Decides on this task's response.
    var onResponse: URLSessionManager.ResponseHandler?
    /// Takes the body, which isn't kept then.
    var onData: URLSessionManager.DataHandler?
    /// A Swift task reads the body, which isn't kept then either.
    var isRead = false

    /// Whether what has come of a response is somebody's already when the attempt ends.
    var handsOutBody: Bool { isRead || onData != nil }
}
