public import Foundation

// `@unchecked Sendable`: it adds no stored property to those of ``URLSessionTask``.
/// A task that downloads the response's body to a file.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Cancels the task and produces resume data for ``URLSession/downloadTask(withResumeData:)``.
    ///
    /// The same data is in the task's error, as ``Foundation/URLError/downloadTaskResumeData``; so
    /// it is for a download that fails. The partial file stays in the temporary directory until
    /// another download resumes it.
    ///
    /// - Parameter completionHandler: Called on the delegate queue, before the completion, with the
    ///   resume data. It gets `nil` if the download can't be resumed: no bytes have arrived, the
    ///   response has neither a strong `ETag` nor a `Last-Modified` at least one second before its
    ///   `Date` (RFC 9110, 8.8.2.2), the body is compressed, or the request isn't a plain `GET`.
    open func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        core.cancel(byProducingResumeData: ResumeDataHandler(handler: completionHandler))
    }

    /// Cancels the task and returns resume data; see ``cancel(byProducingResumeData:)``.
    ///
    /// - Returns: The resume data; `nil` if the download can't be resumed.
    open func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
