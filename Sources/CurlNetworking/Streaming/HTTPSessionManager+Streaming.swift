internal import CurlURLSession
internal import Foundation

extension HTTPSessionManager {
    /// Sends a request and returns its response when the head is received.
    ///
    /// The body is read as it arrives; see
    /// ``URLSessionManager/stream(for:accepting:uploadProgress:)``.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: The parameters for the request serializer; `nil` for none.
    ///   - headers: Headers of this request only. They replace those of the serializer.
    ///   - serializer: The serializer that checks the response.
    /// - Throws: The error of creating the request, of the transport or of the serializer.
    public func stream(
        withHTTPMethod method: HTTPMethod = .get,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        accepting serializer: HTTPResponseSerializer? = nil
    ) async throws -> ResponseStream {
        let request = try await made(nil) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, parameters: parameters)
            }
        }
        return try await stream(for: request, accepting: serializer)
    }

    /// Connects to a stream of server-sent events.
    ///
    /// See ``URLSessionManager/events(for:lastEventID:reconnection:maximumLength:)``.
    ///
    /// - Throws: The error of creating the request, of the transport or of an unacceptable
    ///   response.
    public func events(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        lastEventID: String = "",
        reconnection: ServerSentEventReconnection? = nil
    ) async throws -> ServerSentEvents {
        let request = try await made(nil) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: .get, urlString: url, parameters: parameters)
            }
        }
        return try await events(
            for: request,
            lastEventID: lastEventID,
            reconnection: reconnection
        )
    }
}
