public import CurlURLSession

// The methods for HTTP methods, without handlers. They are for code that isn't asynchronous: in an
// asynchronous function, the asynchronous methods of the same names are called.

extension HTTPSessionManager {
    /// Sends a `GET` request, and doesn't report its response.
    ///
    /// Monitors, handlers of all tasks and the notification of the completion still report it.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as a query; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        get(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }

    /// Sends a `HEAD` request, and doesn't report its response.
    ///
    /// See `get(_:parameters:headers:)`. The parameters usually become a query.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        head(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }

    /// Sends a `POST` request, and doesn't report its response.
    ///
    /// See `get(_:parameters:headers:)`. The parameters usually become the body.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        post(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }

    /// Sends a `PUT` request, and doesn't report its response.
    ///
    /// See `get(_:parameters:headers:)`. The parameters usually become the body.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        put(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }

    /// Sends a `PATCH` request, and doesn't report its response.
    ///
    /// See `get(_:parameters:headers:)`. The parameters usually become the body.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        patch(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }

    /// Sends a `DELETE` request, and doesn't report its response.
    ///
    /// See `get(_:parameters:headers:)`. The parameters usually become a query.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil
    ) -> URLSessionDataTask? {
        delete(urlString, parameters: parameters, headers: headers, success: nil, failure: nil)
    }
}

// The same with a dictionary of header fields.

extension HTTPSessionManager {
    /// Sends a `GET` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        get(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }

    /// Sends a `HEAD` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        head(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }

    /// Sends a `POST` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        post(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }

    /// Sends a `PUT` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        put(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }

    /// Sends a `PATCH` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        patch(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }

    /// Sends a `DELETE` request with a dictionary of header fields, and doesn't report its response.
    ///
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    @_disfavoredOverload
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: [String: String]?
    ) -> URLSessionDataTask? {
        delete(
            urlString,
            parameters: parameters,
            headers: Self.fields(headers),
            success: nil,
            failure: nil
        )
    }
}
