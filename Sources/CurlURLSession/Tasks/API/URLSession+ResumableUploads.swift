public import Foundation
internal import Synchronization

// Uploads that resume after an interruption.

extension URLSession {
    /// Creates a task that resumes an upload and calls the delegate.
    ///
    /// See ``URLSessionUploadTask/cancel(byProducingResumeData:)`` and
    /// ``Foundation/URLError/uploadTaskResumeData``.
    ///
    /// A server offers resumption while it receives an upload, with the informational status 104
    /// and a `Location` (draft-ietf-httpbis-resumable-upload-05, interop version 6). The task asks
    /// that URL how much the server has (`HEAD`), and sends the rest (`PATCH`); the response to the
    /// `PATCH` is the task's. Progress counts the whole body. If the server already has the
    /// complete body and only its response was lost, the response to the `HEAD` is the task's, with
    /// the field `Upload-Complete: ?1`.
    ///
    /// The task fails with
    /// - `URLError.cannotDecodeRawData` if the data isn't resume data of an upload;
    /// - `URLError.fileDoesNotExist` or `.cannotOpenFile` if the file is missing or has changed;
    /// - `URLError.resourceUnavailable` if the server doesn't have the upload any more. The task
    ///   doesn't restart the upload, because the server may have completed it;
    /// - `URLError.badServerResponse` if the server's answers are invalid: an offset beyond the
    ///   body's end, smaller than before, or missing. If the server is only temporarily unable to
    ///   answer, the error contains resume data again;
    /// - `URLError.userAuthenticationRequired` if the server requires credentials and none are
    ///   available.
    ///
    /// Resume data determines which file is sent, and where to: don't accept it from untrusted
    /// sources.
    public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        makeUploadTask(resumeData: resumeData, .delegate)
    }

    /// Creates a task that resumes an upload; see ``uploadTask(withResumeData:)``.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    public func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(resumeData: resumeData, .dataHandler(completionHandler))
    }

    /// Resumes an upload; see ``uploadTask(withResumeData:)``.
    ///
    /// - Parameters:
    ///   - resumeData: From ``URLSessionUploadTask/cancel(byProducingResumeData:)``, or from the
    ///     error of a failed upload.
    ///   - delegate: The task's delegate; it takes precedence over the session's. A
    ///     ``URLSessionDataDelegate`` also gets the response and the body as they arrive. Apple's
    ///     URLSession doesn't call it for them.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func upload(
        resumeFrom resumeData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(resumeData: resumeData, .awaited, delegate: delegate)
        return try await task.core.data()
    }

    private func makeUploadTask(
        resumeData: Data,
        _ consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionUploadTask {
        let upload = UploadResumeData(resumeData)
        let kind = TaskKindState.upload(UploadState(resuming: upload))
        let body = upload?.content.body ?? TaskBody.none
        let core = makeCore(upload?.wholeRequest, kind, body, consumer, delegate)
        let task = URLSessionUploadTask(core: core)
        if upload == nil { core.state.withLock { $0.startFailure = .invalidUploadResumeData } }
        register(core, as: task)
        return task
    }
}
