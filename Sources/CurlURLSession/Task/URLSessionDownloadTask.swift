public import Foundation

/// A task whose response's content goes to a file.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Cancels the task, and keeps what has come for ``URLSession/downloadTask(withResumeData:)``.
    ///
    /// - Parameter completionHandler: Called on the delegate queue with what the download goes on with;
    ///   with `nil` where it can't: nothing has come yet, the server gave neither a strong `ETag` nor
    ///   `Last-Modified`, the content is compressed, or the request isn't a plain `GET`.
    open func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        core.cancel(byProducingResumeData: ResumeDataHandler(handler: completionHandler))
    }
}
