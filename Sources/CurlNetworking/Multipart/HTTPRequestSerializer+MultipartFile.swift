public import CurlURLSession
public import Foundation

extension HTTPRequestSerializer {
    /// Writes a multipart form into a file, which is then uploaded in the place of the stream.
    ///
    /// For servers, or proxies, that want to be sent a file.
    ///
    /// - Parameters:
    ///   - request: A request with a body stream, which is read here and can't be sent any more.
    ///   - fileURL: The file. One that is there is overwritten. It is removed where it can't be
    ///     completed.
    ///   - handler: Is called on the main queue when the file is complete, with `nil`, or with what
    ///     went wrong.
    /// - Returns: The request without a body, with its headers, for an upload of the file. It is
    ///   returned at once; wait for `handler` before it is used.
    @discardableResult
    public func request(
        withMultipartFormRequest request: URLRequest,
        writingStreamContentsToFile fileURL: URL,
        completionHandler handler: (@Sendable ((any Error)?) -> Void)?
    ) -> URLRequest {
        BodyFileWriter.write(request.httpBodyStream, to: fileURL) { error in
            guard let handler else { return }
            OperationQueue.main.addOperation { handler(error) }
        }
        var request = request
        request.httpBodyStream = nil
        return request
    }

    /// Writes a multipart form into a file, which is then uploaded in the place of the stream.
    ///
    /// - Parameters:
    ///   - request: A request with a body stream, which is read here and can't be sent any more.
    ///   - fileURL: The file. One that is there is overwritten. It is removed where it can't be
    ///     completed.
    /// - Returns: The request without a body, with its headers, for an upload of the file.
    /// - Throws: What went wrong with a part or with the file.
    public func request(
        withMultipartFormRequest request: URLRequest,
        writingStreamContentsToFile fileURL: URL
    ) async throws -> URLRequest {
        try await withCheckedThrowingContinuation { continuation in
            BodyFileWriter.write(request.httpBodyStream, to: fileURL) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
        var request = request
        request.httpBodyStream = nil
        return request
    }
}
