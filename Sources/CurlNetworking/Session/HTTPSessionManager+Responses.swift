internal import CurlURLSession
public import Foundation

// Each of these makes a request and returns all that is known of the exchange when it is over, be it that the
// request can't be made: these methods don't throw.

extension HTTPSessionManager {
    /// Sends a request of any method, and returns its response, what the serializer made of it, and what that
    /// took; see ``URLSessionManager/dataResponse(for:serializer:interceptor:uploadProgress:downloadProgress:)``.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - interceptor: Of this request, after the manager's.
    ///   - serializer: Is asked in the place of the manager's.
    public func dataResponse<Serializer: ResponseValueSerialization>(
        withHTTPMethod method: HTTPMethod = .get,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serializer: Serializer
    ) async -> DataResponse<Serializer.Value, NetworkingError> {
        do {
            let request = try await made(interceptor) {
                try self.request(urlString, headers) { serializer, url in
                    try serializer.request(
                        withMethod: method,
                        urlString: url,
                        parameters: parameters
                    )
                }
            }
            return await dataResponse(
                for: request,
                serializer: serializer,
                interceptor: interceptor
            )
        } catch {
            return DataResponse(unsent: error)
        }
    }

    /// Writes the response to a `GET` request to a file, and returns all that is known of that; see
    /// ``URLSessionManager/downloadResponse(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - options: What may be done for the file to get there.
    ///   - interceptor: Of this request, after the manager's.
    ///   - progress: Called on the operation queue as the file grows.
    ///   - destination: Called on the operation queue; says where the file is moved.
    public func downloadResponse(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        options: DownloadOptions = [],
        interceptor: (any RequestInterceptor)? = nil,
        progress: ProgressHandler? = nil,
        to destination: @escaping Destination
    ) async -> DownloadResponse<URL, NetworkingError> {
        do {
            let request = try await made(interceptor) {
                try self.request(urlString, headers) { serializer, url in
                    try serializer.request(withMethod: .get, urlString: url, parameters: parameters)
                }
            }
            return await downloadResponse(
                for: request,
                options: options,
                interceptor: interceptor,
                progress: progress,
                to: destination
            )
        } catch {
            return DownloadResponse(unsent: error)
        }
    }
}
