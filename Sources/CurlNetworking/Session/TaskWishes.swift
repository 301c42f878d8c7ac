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
}
