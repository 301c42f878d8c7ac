public import Foundation

/// A task whose response's content goes to a file.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Cancels the task, and keeps what has come for ``URLSession/downloadTask(withResumeData:)``.
    ///
    /// The task's error has the same in ``Foundation/URLError/downloadTaskResumeData``, as has that of a
    /// download which fails by itself. The bytes stay in the folder for temporary files until another
    /// download goes on with them.
    ///
    /// - Parameter completionHandler: Called on the delegate queue, before the completion, with what the
    ///   download goes on with; with `nil` where it can't: nothing has come yet, the server gave neither
    ///   a strong `ETag` nor a `Last-Modified` of at least a second before (RFC 9110, 8.8.2.2), the
    ///   content is compressed, or the request isn't a plain `GET`.
    open func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        core.cancel(byProducingResumeData: ResumeDataHandler(handler: completionHandler))
    }

    /// Cancels the task; see ``cancel(byProducingResumeData:)``.
    ///
    /// - Returns: What the download goes on with; `nil` where it can't.
    open func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
