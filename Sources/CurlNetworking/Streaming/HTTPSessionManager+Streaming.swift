internal import CurlURLSession
internal import Foundation

extension HTTPSessionManager {
    /// Sends a request of any method and returns its response as soon as the head is there, with the body
    /// to be read as it comes; see ``URLSessionManager/stream(for:accepting:uploadProgress:)``.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - serializer: By whose rules the response is checked.
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
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

    /// Connects with a stream of server-sent events; see
    /// ``URLSessionManager/events(for:lastEventID:reconnection:maximumLength:)``.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or that the response isn't what it
    ///   should be.
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
