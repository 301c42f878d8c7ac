public import Foundation

// `@unchecked Sendable`: it adds no stored property to those of ``URLSessionTask``.
/// A data task that uploads data, a file, a stream or an asynchronous sequence.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    /// Cancels the task and produces resume data for ``URLSession/uploadTask(withResumeData:)``.
    ///
    /// The same data is in the task's error, as ``Foundation/URLError/uploadTaskResumeData``; so it
    /// is for an upload that fails. The resume data contains a body in memory; a file isn't
    /// included and must not change. It also contains the request's header fields, including
    /// credentials.
    ///
    /// - Parameter completionHandler: Called on the delegate queue, before the completion, with the
    ///   resume data. It gets `nil` if the upload can't be resumed: the server hasn't offered it or
    ///   has named another origin for it, the response has arrived, or the body is a stream or a
    ///   sequence.
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        core.cancel(byProducingResumeData: ResumeDataHandler(handler: completionHandler))
    }

    /// Cancels the task and returns resume data; see ``cancel(byProducingResumeData:)``.
    ///
    /// - Returns: The resume data; `nil` if the upload can't be resumed.
    open func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
