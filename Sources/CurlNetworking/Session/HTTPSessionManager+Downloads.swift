public import CurlURLSession
public import Foundation

extension HTTPSessionManager {
    /// Writes the response to a `GET` request to a file; see
    /// ``URLSessionManager/download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - options: What may be done for the file to get there.
    ///   - progress: Called on the operation queue as the file grows.
    ///   - destination: Called on the operation queue; says where the file is moved.
    /// - Throws: Why the request can't be made, the transport's error, the serializer's, or why the file
    ///   couldn't be moved.
    public func download(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async throws -> (file: URL, response: URLResponse) {
        let request = try await made(nil) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: .get, urlString: url, parameters: parameters)
            }
        }
        return try await download(
            for: request,
            options: options,
            progress: progress,
            to: destination
        )
    }
}
