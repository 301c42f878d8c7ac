public import CurlURLSession
internal import Foundation

// The types of arguments that AFNetworking has: a dictionary of header fields, and a string for the
// HTTP method. Literals select the methods with `HTTPHeaders` and `HTTPMethod`. The methods here
// call those: override only those.

extension HTTPSessionManager {
    /// Creates a task for any method, which is a string.
    ///
    /// The task starts with `resume()`.
    ///
    /// In an override, pass `HTTPHeaders(fields)` to `super`, and all arguments of the overridden
    /// method. This form calls the override again.
    ///
    /// - Parameters:
    ///   - method: The method, such as `REPORT`.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer, `Content-Type` too.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body arrives.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task; `nil` if the request can't be created.
    @_disfavoredOverload
    public func dataTask(
        withHTTPMethod method: String,
        urlString: String,
        parameters: Any? = nil,
        headers: [String: String]? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        dataTask(
            withHTTPMethod: HTTPMethod(method),
            urlString: urlString,
            parameters: parameters,
            headers: headers,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            success: success,
            failure: failure
        )
    }

    /// Creates a task for any method, with a dictionary of header fields.
    ///
    /// The task starts with `resume()`.
    ///
    /// In an override, pass `HTTPHeaders(fields)` to `super`, and all arguments of the overridden
    /// method. This form calls the override again.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer, `Content-Type` too.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task; `nil` if the request can't be created.
    @_disfavoredOverload
    public func dataTask(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        dataTask(
            withHTTPMethod: method,
            urlString: urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            success: success,
            failure: failure
        )
    }

    /// The header fields of a dictionary; `nil` for `nil`.
    static func fields(_ dictionary: [String: String]?) -> HTTPHeaders? {
        dictionary.map { HTTPHeaders($0) }
    }

    /// Sends a `GET` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - progress: Called on the operation queue as the response's body arrives.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        get(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            progress: progress,
            success: success,
            failure: failure
        )
    }

    /// Sends a `HEAD` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called on the completion queue with the task, which has the response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        success: (@Sendable (URLSessionDataTask) -> Void)?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        head(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: success,
            failure: failure
        )
    }

    /// Sends a `POST` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - progress: Called on the operation queue as the request's body is sent.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        post(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            progress: progress,
            success: success,
            failure: failure
        )
    }

    /// Sends a multipart form with `POST`, with a dictionary of header fields.
    ///
    /// In an override, pass `HTTPHeaders(fields)` to `super`, and all arguments of the overridden
    /// method. This form calls the override again.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - block: Appends parts. It is called before the method returns, on the same thread.
    ///   - progress: Called on the operation queue as the form is sent.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        constructingBodyWith block: ((any MultipartFormData) throws -> Void)?,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        post(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            constructingBodyWith: block,
            progress: progress,
            success: success,
            failure: failure
        )
    }

    /// Sends a `PUT` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        put(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: success,
            failure: failure
        )
    }

    /// Sends a `PATCH` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        patch(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: success,
            failure: failure
        )
    }

    /// Sends a `DELETE` request with a dictionary of header fields.
    ///
    /// - Parameters:
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called on the completion queue with the task and the serialized response.
    ///   - failure: Called on the completion queue with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        delete(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: success,
            failure: failure
        )
    }
}
