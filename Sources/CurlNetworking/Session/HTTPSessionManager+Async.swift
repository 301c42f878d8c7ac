internal import CurlURLSession
internal import Foundation

// Each of these sends a request and waits for its response, on no queue. Cancelling the Swift task cancels
// the request, which is told as `URLError.cancelled`.

extension HTTPSessionManager {
    /// Sends a request of any method, and waits for what the response stands for.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - interceptor: Of this request, after the manager's.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body comes.
    /// - Returns: What the response serializer made of the response.
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func object(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async throws -> (any Sendable)? {
        let request = try await made(interceptor) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, parameters: parameters)
            }
        }
        return try await answer(
            to: request,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
    }

    /// Sends a request of any method with `Encodable` parameters, and waits for what the response
    /// stands for.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - interceptor: Of this request, after the manager's.
    /// - Returns: What the response serializer made of the response.
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func object(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        encoding parameters: some Encodable,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) async throws -> (any Sendable)? {
        let request = try await made(interceptor) {
            try self.request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, encoding: parameters)
            }
        }
        return try await answer(to: request, interceptor: interceptor)
    }

    /// Sends a `GET` request, and waits for what the response stands for.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .get,
            urlString: urlString,
            parameters: parameters,
            headers: headers,
            downloadProgress: progress
        )
    }

    /// Sends a `HEAD` request, and waits for the response.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) async throws {
        try await object(
            withHTTPMethod: .head,
            urlString: urlString,
            parameters: parameters,
            headers: headers
        )
    }

    /// Sends a `POST` request, and waits for what the response stands for.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        progress: ProgressHandler? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .post,
            urlString: urlString,
            parameters: parameters,
            headers: headers,
            uploadProgress: progress
        )
    }

    /// Sends a multipart form with `POST`, as it is read, and waits for what the response stands for.
    ///
    /// - Parameter block: Appends parts. It is called at once, before anything is waited for, and once: of a
    ///   form that can't be made, retriers can do no more than tell another error.
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        progress: ProgressHandler? = nil,
        constructingBodyWith block: (any MultipartFormData) throws -> Void
    ) async throws -> (any Sendable)? {
        let request = try await asked {
            try withoutActuallyEscaping(block) { block in
                try formRequest(urlString, parameters, headers, block)
            }
        }
        return try await answer(to: request, uploadProgress: progress)
    }

    /// Sends a `PUT` request, and waits for what the response stands for.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .put,
            urlString: urlString,
            parameters: parameters,
            headers: headers
        )
    }

    /// Sends a `PATCH` request, and waits for what the response stands for.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .patch,
            urlString: urlString,
            parameters: parameters,
            headers: headers
        )
    }

    /// Sends a `DELETE` request, and waits for what the response stands for.
    ///
    /// - Throws: Why the request can't be made, the transport's error, or the serializer's.
    @discardableResult
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) async throws -> (any Sendable)? {
        try await object(
            withHTTPMethod: .delete,
            urlString: urlString,
            parameters: parameters,
            headers: headers
        )
    }
}
