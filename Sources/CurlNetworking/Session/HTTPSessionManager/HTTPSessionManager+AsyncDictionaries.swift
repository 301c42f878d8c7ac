internal import CurlURLSession
internal import Foundation

// The asynchronous methods with a dictionary of header fields or with a string for the HTTP method.
// For literals, those with `HTTPHeaders` and `HTTPMethod` are called.

extension HTTPSessionManager {
    /// Sends a request of any method, which is a string, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - method: The method, such as `REPORT`.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    /// - Returns: The object that the response serializer creates.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func object(
        withHTTPMethod method: String,
        urlString: String,
        parameters: Any? = nil,
        headers: [String: String]? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: HTTPMethod(method),
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }

    /// Sends a request of any method with a dictionary of header fields.
    ///
    /// - Returns: The object that the response serializer creates.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func object(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: method,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }

    /// Sends a `GET` request with a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        progress: ProgressHandler? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .get,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            downloadProgress: progress
        )
    }

    /// Sends a `HEAD` request with a dictionary of header fields.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @_disfavoredOverload
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) async throws {
        try await object(
            withHTTPMethod: .head,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }

    /// Sends a `POST` request with a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        progress: ProgressHandler? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .post,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            uploadProgress: progress
        )
    }

    /// Sends a multipart form with `POST` and a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        progress: ProgressHandler? = nil,
        constructingBodyWith block: (any MultipartFormData) throws -> Void
    ) async throws -> (any Sendable)? {
        try await post(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            progress: progress,
            constructingBodyWith: block
        )
    }

    /// Sends a `PUT` request with a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .put,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }

    /// Sends a `PATCH` request with a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .patch,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }

    /// Sends a `DELETE` request with a dictionary of header fields.
    ///
    /// It returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
    @discardableResult
    @_disfavoredOverload
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .delete,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers)
        )
    }
}

// The same, decoded from JSON.

extension HTTPSessionManager {
    /// Sends a `GET` request with a dictionary of header fields.
    ///
    /// It decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    @_disfavoredOverload
    public func get<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await get(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            of: type
        )
    }

    /// Sends a `POST` request with a dictionary of header fields.
    ///
    /// It decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    @_disfavoredOverload
    public func post<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await post(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            of: type
        )
    }

    /// Sends a `PUT` request with a dictionary of header fields.
    ///
    /// It decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    @_disfavoredOverload
    public func put<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await put(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            of: type
        )
    }

    /// Sends a `PATCH` request with a dictionary of header fields.
    ///
    /// It decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    @_disfavoredOverload
    public func patch<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await patch(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            of: type
        )
    }

    /// Sends a `DELETE` request with a dictionary of header fields.
    ///
    /// It decodes the response from JSON.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the decoder's.
    @_disfavoredOverload
    public func delete<Value: Decodable & Sendable>(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        of type: Value.Type = Value.self
    ) async throws -> Value {
        try await delete(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            of: type
        )
    }
}
