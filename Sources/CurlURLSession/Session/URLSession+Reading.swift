package import Foundation

// Tasks whose content a Swift task of a layer above reads as it comes.

extension URLSession {
    /// Creates a task whose content is read by ``URLSessionDataTask/nextPiece()``. While nobody reads, no
    /// more than a window is taken from the server. The stream of a request that has one is asked of the
    /// delegate, the first time too.
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
    /// Begins a task that is read, and answers its response as soon as the head is there. Cancelling the
    /// Swift task cancels this one.
    ///
    /// - Throws: `URLError`.
    package func head() async throws -> URLResponse {
        try await core.head()
    }

    /// What has come since this was asked last; waits where nothing has. `nil` at the end. Cancelling the
    /// Swift task cancels this one.
    ///
    /// - Throws: `URLError`.
    package func nextPiece() async throws -> Data? {
        try await core.nextChunk()
    }
}
