/// A request's method (RFC 9110, 9), of which there are more than have a name here.
///
/// Methods are compared with regard to case, as servers do. A string literal is one:
/// `manager.dataTask(withHTTPMethod: "REPORT", …)`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, Codable {
    /// As it is sent.
    public let rawValue: String

    /// Creates a method. Nothing is checked before a request is sent: one with a space in it makes the
    /// request fail then.
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
