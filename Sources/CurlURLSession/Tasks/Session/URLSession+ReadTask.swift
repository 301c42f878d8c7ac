package import Foundation

// Tasks whose body a Swift task of a higher layer reads as it arrives.

extension URLSession {
    /// Creates a task whose body is read with ``URLSessionDataTask/nextPiece()``.
    ///
    /// While the consumer doesn't read, at most one window is received from the server. If the
    /// request has a body stream, the delegate provides the stream, also for the first attempt.
    package func readTask(
        with request: URLRequest,
        delegate: any URLSessionTaskDelegate
    ) -> URLSessionDataTask {
        request.state.body.stream == nil
            ? makeDataTask(request, .stream, delegate: delegate)
            : makeUploadTask(request, .asked, .stream, delegate: delegate)
    }
}

extension URLSessionDataTask {
    /// Starts a task made for reading, and returns its response.
    ///
    /// It returns as soon as the response's head has arrived. Cancelling the Swift task cancels the
    /// session task.
    ///
    /// - Throws: `URLError`.
    package func head() async throws -> URLResponse {
        try await core.head()
    }

    /// Returns the bytes received since the last call. `nil` at the end.
    ///
    /// It waits if there are no bytes. Cancelling the Swift task cancels the session task.
    ///
    /// - Throws: `URLError`.
    package func nextPiece() async throws -> Data? {
        try await core.nextChunk()
    }
}
