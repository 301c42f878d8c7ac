public import CurlURLSession
internal import Foundation

// What subclasses need to make requests of their own, and shorter forms.

extension HTTPRequestSerializer {
    /// A request with `Encodable` parameters.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: An absolute URL.
    ///   - parameters: What is to be encoded.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or what the parameters throw.
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

    /// A request without headers and parameters, with the properties that are set here.
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

    /// A copy of a request with the default headers that it lacks.
    public func addingDefaultHeaders(to request: URLRequest) -> URLRequest {
        var request = request
        snapshot.addHeaders(to: &request)
        return request
    }

    /// Whether a request's method is one of those whose parameters go into the URL.
    public func encodesParametersInURI(of request: URLRequest) -> Bool {
        snapshot.encodesInURI(request)
    }

    /// Has every request say a user's name and password, in the clear (RFC 7617).
    public func setAuthorizationHeaderField(username: String, password: String) {
        let header = HTTPHeader.authorization(username: username, password: password)
        setValue(header.value, forHTTPHeaderField: header.name)
    }

    /// Removes the `Authorization` header.
    public func clearAuthorizationHeader() {
        setValue(nil, forHTTPHeaderField: "Authorization")
    }
}
