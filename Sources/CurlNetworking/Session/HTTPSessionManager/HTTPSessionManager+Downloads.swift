public import CurlURLSession
public import Foundation

extension HTTPSessionManager {
    /// Downloads a file with `GET`, and returns when it is at its destination.
    ///
    /// See ``URLSessionManager/download(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - options: How the file may get to its destination.
    ///   - progress: Called on the operation queue as the file grows.
    ///   - destination: Called on the operation queue; returns where to move the file.
    /// - Throws: Why the request can't be created, the error of the transport or the response
    ///   serializer, or why the file couldn't be moved.
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
