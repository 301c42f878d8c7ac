public import Foundation

/// A data task whose request has a body that was given apart: bytes, a file or a stream.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    /// Cancels the task, and has ``URLSession/uploadTask(withResumeData:)`` go on with it later, if the
    /// server has offered that.
    ///
    /// The task's error has the same in ``Foundation/URLError/uploadTaskResumeData``, as has that of an
    /// upload which fails by itself. Bytes that are sent from memory are part of it; a file isn't, and
    /// has to stay as it is. A request's fields are part of it, too, those that say who asks included.
    ///
    /// - Parameter completionHandler: Called on the delegate queue, before the completion, with what the
    ///   upload goes on with; with `nil` where it can't: the server hasn't offered it, or has led to
    ///   another origin for it, the response has come, or the body is a stream, which nobody can read
    ///   again.
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        core.cancel(byProducingResumeData: ResumeDataHandler(handler: completionHandler))
    }

    /// Cancels the task; see ``cancel(byProducingResumeData:)``.
    ///
    /// - Returns: What the upload goes on with; `nil` where it can't.
    open func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
