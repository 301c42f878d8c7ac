public import Foundation
internal import Synchronization

// Uploads that go on where they were interrupted.

extension URLSession {
    /// Creates a task that goes on with an upload where it was cancelled or has failed, and tells its
    /// response to the delegate; see ``URLSessionUploadTask/cancel(byProducingResumeData:)`` and
    /// ``Foundation/URLError/uploadTaskResumeData``.
    ///
    /// Servers offer that while they receive an upload, by the informational status 104 and a `Location`
    /// (draft-ietf-httpbis-resumable-upload-05, interop version 6). The task asks there how much the
    /// server has (`HEAD`), and sends the rest (`PATCH`); the response to that is the task's. Progress
    /// counts the whole body. Where the server has all of it, and only its response was lost, the
    /// response to the question is the task's, with the field `Upload-Complete: ?1`.
    ///
    /// It fails, and tells so, with
    /// - `URLError.cannotDecodeRawData` for data that isn't resume data of an upload;
    /// - `URLError.fileDoesNotExist` or `.cannotOpenFile` if the file isn't there any more, or was changed;
    /// - `URLError.resourceUnavailable` if the server doesn't have the upload any more: nothing is begun
    ///   anew by itself, since the server may have completed it;
    /// - `URLError.badServerResponse` if the server's answers make no sense: more bytes than there are,
    ///   fewer than it had said before, or none told. If it only can't answer now, the error has resume
    ///   data again;
    /// - `URLError.userAuthenticationRequired` if it asks for credentials that nobody has.
    ///
    /// Resume data names the file that is sent from then on, and where to: take it from nobody else.
    public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        makeUploadTask(resumeData: resumeData, .delegate)
    }

    /// Creates a task that goes on with an upload where it was interrupted; see
    /// ``uploadTask(withResumeData:)``.
    ///
    /// - Parameter completionHandler: Called on the delegate queue.
    public func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        makeUploadTask(resumeData: resumeData, .dataHandler(completionHandler))
    }

    /// Goes on with an upload where it was interrupted; see ``uploadTask(withResumeData:)``.
    ///
    /// - Parameters:
    ///   - resumeData: From ``URLSessionUploadTask/cancel(byProducingResumeData:)``, or from the error
    ///     of an upload that failed.
    ///   - delegate: Is asked and told before the session's delegate.
    /// - Returns: The response's content, and the response, whatever its status.
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
        let body = upload?.content.body ?? TaskBody.none
        let core = makeCore(upload?.wholeRequest, .upload, body, consumer, delegate)
        let task = URLSessionUploadTask(core: core)
        core.state.withLock { state in
            state.upload = upload
            if upload == nil { state.obstacle = .invalidUploadResumeData }
        }
        register(core, as: task)
        return task
    }
}
