internal import CurlURLSession
public import Foundation

// Each of these methods sends a request and returns a response value with the result, metrics and
// errors. They don't throw; if the request can't be created, the value says so.

extension HTTPSessionManager {
    /// Sends a request of any method, and returns its response value.
    ///
    /// The value has the response, the serialized object and the metrics; see
    /// ``URLSessionManager/dataResponse(for:serializer:interceptor:uploadProgress:downloadProgress:)``.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - serializer: Used instead of the manager's response serializer.
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

    /// Downloads a file with `GET`, and returns the response value.
    ///
    /// See ``URLSessionManager/downloadResponse(for:options:interceptor:progress:to:)``.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - options: How the file may get to its destination.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - progress: Called on the operation queue as the file grows.
    ///   - destination: Called on the operation queue; returns where to move the file.
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
