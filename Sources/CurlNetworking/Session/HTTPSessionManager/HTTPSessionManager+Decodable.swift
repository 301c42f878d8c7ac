internal import CurlURLSession
internal import Foundation

// Each of these methods sends a request, waits for its response and decodes it. If the call doesn't
// give the result's type, the overload applies that returns the object of the manager's serializer.

extension HTTPSessionManager {
    /// Sends a request of any method, and decodes the response.
    ///
    /// ```swift
    /// let report = try await manager.value(
    ///     withHTTPMethod: "REPORT",
    ///     urlString: "users",
    ///     serializer: DecodableResponseSerializer<Report>()
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - serializer: Checks the response and decodes it. A ``DecodableResponseSerializer`` accepts
    ///     any media type by default.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    public func value<Value: Decodable & Sendable>(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serializer: DecodableResponseSerializer<Value>
    ) async throws -> Value {
        let request = try await made(interceptor) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, parameters: parameters)
            }
        }
        let answer = try await answer(
            to: request,
            interceptor: interceptor,
            serializer: serializer
        )
        guard let value = answer as? Value else { throw URLError(.cannotDecodeContentData) }
        return value
    }

    /// Sends a `GET` request, and decodes the response from JSON.
    ///
    /// ```swift
    /// let users: [User] = try await manager.get("users", parameters: ["page": 2])
    /// ```
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    public func get<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await decoded(.get, urlString, parameters, headers)
    }

    /// Sends a `POST` request, and decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    public func post<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await decoded(.post, urlString, parameters, headers)
    }

    /// Sends a `PUT` request, and decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    public func put<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await decoded(.put, urlString, parameters, headers)
    }

    /// Sends a `PATCH` request, and decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    public func patch<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await decoded(.patch, urlString, parameters, headers)
    }

    /// Sends a `DELETE` request, and decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    public func delete<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await decoded(.delete, urlString, parameters, headers)
    }

    private func decoded<Value: Decodable & Sendable>(
        _ method: HTTPMethod,
        _ urlString: String,
        _ parameters: Any?,
        _ headers: HTTPHeaders?
    ) async throws -> Value {
        try await value(
            withHTTPMethod: method,
            urlString: urlString,
            parameters: parameters,
            headers: headers,
            serializer: DecodableResponseSerializer(of: Value.self)
        )
    }
}
