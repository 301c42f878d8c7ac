/// The name of a cookie's property, for `HTTPCookie.init(properties:)`.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public private(set) var rawValue: String

    /// Creates a key.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a key.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The cookie's name: a `String`. Required.
    public static let name = HTTPCookiePropertyKey("Name")

    /// The cookie's value: a `String`. Required.
    public static let value = HTTPCookiePropertyKey("Value")

    /// The URL that the cookie came from: a `URL` or a `String`.
    ///
    /// Its host is the domain if ``domain`` isn't given.
    public static let originURL = HTTPCookiePropertyKey("OriginURL")

    /// The version: "0", the default, or "1"; a `String` or an `Int`.
    public static let version = HTTPCookiePropertyKey("Version")

    /// The domain: a `String`. A domain with a leading dot includes all its subdomains.
    public static let domain = HTTPCookiePropertyKey("Domain")

    /// The path: a `String`. Required.
    public static let path = HTTPCookiePropertyKey("Path")

    /// Whether the cookie is sent only over secure connections.
    ///
    /// The value is a `Bool` or a `String`. Any nonempty string means yes.
    public static let secure = HTTPCookiePropertyKey("Secure")

    /// When the cookie expires: a `Date`, or a `String` that cookies allow.
    public static let expires = HTTPCookiePropertyKey("Expires")

    /// A comment: a `String`.
    public static let comment = HTTPCookiePropertyKey("Comment")

    /// The URL of a comment: a `URL` or a `String`.
    public static let commentURL = HTTPCookiePropertyKey("CommentURL")

    /// Whether the cookie ends with the session despite its expiry date.
    ///
    /// The value is "TRUE", "FALSE" or a `Bool`.
    public static let discard = HTTPCookiePropertyKey("Discard")

    /// The lifetime in seconds: a `String` or an `Int`. It replaces ``expires``.
    ///
    /// Only for cookies of version 1. With it, a cookie of version 0 ends with the session.
    public static let maximumAge = HTTPCookiePropertyKey("Max-Age")

    /// The ports for the cookie: a `String` of comma-separated numbers.
    ///
    /// In version 0 only the first one counts.
    public static let port = HTTPCookiePropertyKey("Port")

    /// Whether requests from other sites' pages include the cookie.
    ///
    /// The value is an ``HTTPCookieStringPolicy`` or a `String`.
    public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")

    /// Whether the cookie is hidden from scripts: "TRUE", "FALSE" or a `Bool`.
    static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}

/// Whether requests that other sites' pages cause include a cookie.
///
/// See RFC 6265bis, 5.4.7.
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    /// The value of the attribute `SameSite`, lowercase.
    public let rawValue: String

    /// Creates a policy.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Only requests that follow a link include it.
    public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")

    /// No such request includes it.
    public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}
