public import CurlURLSession

/// A request's method (RFC 9110, 9).
///
/// Methods are case-sensitive, as they are for servers. A string literal is a method, also one
/// without a constant here: `manager.dataTask(withHTTPMethod: "REPORT", …)`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, Codable {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method.
    ///
    /// The name isn't checked before a request is sent: a name with a space makes the request fail.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method.
    public init(_ name: String) {
        rawValue = name
    }

    /// `CONNECT` (RFC 9110, 9.3.6).
    public static let connect = HTTPMethod("CONNECT")
    /// `DELETE` (RFC 9110, 9.3.5).
    public static let delete = HTTPMethod("DELETE")
    /// `GET` (RFC 9110, 9.3.1).
    public static let get = HTTPMethod("GET")
    /// `HEAD` (RFC 9110, 9.3.2).
    public static let head = HTTPMethod("HEAD")
    /// `OPTIONS` (RFC 9110, 9.3.7).
    public static let options = HTTPMethod("OPTIONS")
    /// `PATCH` (RFC 5789).
    public static let patch = HTTPMethod("PATCH")
    /// `POST` (RFC 9110, 9.3.3).
    public static let post = HTTPMethod("POST")
    /// `PUT` (RFC 9110, 9.3.4).
    public static let put = HTTPMethod("PUT")
    /// `QUERY`, a safe method with a body.
    public static let query = HTTPMethod("QUERY")
    /// `TRACE` (RFC 9110, 9.3.8).
    public static let trace = HTTPMethod("TRACE")
}

extension HTTPMethod: ExpressibleByStringLiteral {
    /// Creates a method from its name.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method's name.
    public var description: String { rawValue }
}

extension URLRequest {
    /// The method as a value; setting it sets `httpMethod`.
    public var method: HTTPMethod {
        get { HTTPMethod(httpMethod ?? "GET") }
        set { httpMethod = newValue.rawValue }
    }
}
