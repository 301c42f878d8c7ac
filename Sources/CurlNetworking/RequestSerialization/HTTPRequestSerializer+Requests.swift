public import CurlURLSession
internal import Foundation

// Methods that subclasses need to create requests, and shorter forms.

extension HTTPRequestSerializer {
    /// Creates a request with `Encodable` parameters.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: An absolute URL.
    ///   - parameters: The parameters to encode.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of the parameters.
    public func request(
        withMethod method: HTTPMethod,
        urlString: String,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        try request(
            bySerializing: emptyRequest(withMethod: method, urlString: urlString),
            encoding: parameters
        )
    }

    /// Creates a request with parameters, for a method that is a string.
    ///
    /// - Parameters:
    ///   - method: The method, such as `REPORT`.
    ///   - urlString: An absolute URL.
    ///   - parameters: The parameters to encode; `nil`, the default, for none.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of the query string
    ///   block.
    @_disfavoredOverload
    public func request(
        withMethod method: String,
        urlString: String,
        parameters: Any? = nil
    ) throws -> URLRequest {
        try request(
            withMethod: HTTPMethod(method),
            urlString: urlString,
            parameters: parameters
        )
    }

    /// Creates a request without headers and parameters, with this serializer's request properties.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` if `urlString` is no URL.
    public func emptyRequest(
        withMethod method: HTTPMethod,
        urlString: String
    ) throws -> URLRequest {
        guard let url = URL(string: urlString) else {
            throw URLRequestSerializationError.invalidURL(urlString)
        }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        snapshot.options.apply(to: &request)
        return request
    }

    /// Adds missing default headers to a copy of a request.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` for a header whose value has a NUL
    ///   or a line break.
    public func addingDefaultHeaders(to request: URLRequest) throws -> URLRequest {
        var request = request
        try snapshot.addHeaders(to: &request)
        return request
    }

    /// Whether parameters of a request's method are encoded in the URL.
    public func encodesParametersInURI(of request: URLRequest) -> Bool {
        snapshot.encodesInURI(request)
    }

    /// Sets the `Authorization` header to Basic credentials, which aren't encrypted (RFC 7617).
    public func setAuthorizationHeaderField(username: String, password: String) {
        let header = HTTPHeader.authorization(username: username, password: password)
        setValue(header.value, forHTTPHeaderField: header.name)
    }

    /// Sets the `Authorization` header to Basic credentials, which aren't encrypted (RFC 7617).
    ///
    /// It is ``setAuthorizationHeaderField(username:password:)`` under the name with which Swift
    /// imports AFNetworking's method.
    public func setAuthorizationHeaderField(withUsername username: String, password: String) {
        setAuthorizationHeaderField(username: username, password: password)
    }

    /// Removes the `Authorization` header.
    public func clearAuthorizationHeader() {
        setValue(nil, forHTTPHeaderField: "Authorization")
    }
}
