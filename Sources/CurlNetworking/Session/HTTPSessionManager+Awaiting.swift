internal import CurlURLSession
internal import Foundation

// How Swift tasks wait for requests.

extension HTTPSessionManager {
    /// Runs a request to its end. Cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - interceptor: Of this request, after the manager's.
    ///   - serializer: Is asked in the place of the manager's; `nil` for that.
    /// - Returns: What the serializer made of the response.
    /// - Throws: The transport's error, or the serializer's.
    func answer(
        to request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serializer: (any URLResponseSerialization)? = nil
    ) async throws -> (any Sendable)? {
        let wishes = TaskWishes(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        let outcome = await run(wishes) { delegate in
            let task: URLSessionDataTask =
                request.httpBodyStream == nil
                ? session.dataTask(with: request, delegate: delegate)
                : session.uploadTask(askingForStreamOf: request, delegate: delegate)
            if let serializer { setResponseSerializer(serializer, for: task) }
            return task
        }
        if let error = outcome.error { throw error }
        return outcome.object
    }
}
