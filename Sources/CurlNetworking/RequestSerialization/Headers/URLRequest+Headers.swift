public import CurlURLSession

extension URLRequest {
    /// The header fields, in the order of their names: a view of `allHTTPHeaderFields`.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set {
            allHTTPHeaderFields = nil
            for header in newValue { setValue(header.value, forHTTPHeaderField: header.name) }
        }
    }

    /// The method as a value; setting it sets `httpMethod`.
    public var method: HTTPMethod {
        get { HTTPMethod(httpMethod ?? "GET") }
        set { httpMethod = newValue.rawValue }
    }
}
