public import CurlURLSession
public import Foundation

extension HTTPRequestSerializer {
    /// Writes a multipart form to a file.
    ///
    /// The file is then uploaded instead of the stream. Use it for servers or proxies that don't
    /// accept a streamed body.
    ///
    /// - Parameters:
    ///   - request: A request with a body stream. The stream is read here and can't be sent
    ///     afterwards.
    ///   - fileURL: The file. An existing file is overwritten. The file is removed if it can't be
    ///     completed.
    ///   - handler: Called on the main queue, with `nil` when the file is complete, or with an
    ///     error.
    /// - Returns: The request with its headers and without a body, for an upload of the file. It is
    ///   returned at once; wait for `handler` before you use it.
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

    /// Writes a multipart form to a file.
    ///
    /// The file is then uploaded instead of the stream.
    ///
    /// - Parameters:
    ///   - request: A request with a body stream. The stream is read here and can't be sent
    ///     afterwards.
    ///   - fileURL: The file. An existing file is overwritten. The file is removed if it can't be
    ///     completed.
    /// - Returns: The request with its headers and without a body, for an upload of the file.
    /// - Throws: The error of a part or of the file.
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
