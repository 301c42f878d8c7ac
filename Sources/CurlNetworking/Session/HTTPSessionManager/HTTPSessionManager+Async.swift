internal import CurlURLSession
internal import Foundation

// Each of these methods sends a request and waits for its response, without a queue. Cancelling the
// Swift task cancels the request, which then throws `URLError.cancelled`.

extension HTTPSessionManager {
    /// Sends a request of any method, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body arrives.
    /// - Returns: The object that the response serializer creates.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a request with `Encodable` parameters, and returns the serialized response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    /// - Returns: The object that the response serializer creates.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a `GET` request, and returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a `POST` request, and returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a multipart form with `POST`, and returns the serialized response.
    ///
    /// The form is streamed: its parts are read while they are sent.
    ///
    /// - Parameter block: Appends parts. It is called exactly once, before the method first
    ///   suspends. If the form can't be created, retriers can only replace the error.
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a `PUT` request, and returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a `PATCH` request, and returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

    /// Sends a `DELETE` request, and returns the serialized response.
    ///
    /// - Throws: Why the request can't be created, or the error of the transport or the response
    ///   serializer.
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

// Used by the methods here and by those that decode values.

extension HTTPSessionManager {
    /// Runs a request until it completes. Cancelling the Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - interceptor: Intercepts this request, after the manager's interceptor.
    ///   - serializer: Used instead of the manager's response serializer, unless it is `nil`.
    /// - Returns: The object that the serializer creates.
    /// - Throws: The error of the transport or the serializer.
    func answer(
        to request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serializer: (any URLResponseSerialization)? = nil
    ) async throws -> (any Sendable)? {
        let taskOptions = TaskOptions(
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            interceptor: interceptor
        )
        let awaited =
            request.httpBodyStream == nil
            ? AwaitedTask.data(request) : .uploadStream(request)
        let outcome = await run(awaited, taskOptions, serializer: serializer)
        if let error = outcome.error { throw error }
        return outcome.object
    }
}
