/// The name of a cookie's property, as `HTTPCookie.init(properties:)` takes it.
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

    /// The URL that the cookie came from, a `URL` or a `String`, whose host is the domain where
    /// ``domain`` isn't given.
    public static let originURL = HTTPCookiePropertyKey("OriginURL")

    /// The version: "0", the default, or "1", or the same as an `Int`.
    public static let version = HTTPCookiePropertyKey("Version")

    /// The domain, a `String`. One that begins with a dot includes all domains below it.
    public static let domain = HTTPCookiePropertyKey("Domain")

    /// The path, a `String`. Required.
    public static let path = HTTPCookiePropertyKey("Path")

    /// Whether the cookie is sent over secure connections alone: any `String` but an empty one, or a
    /// `Bool`.
    public static let secure = HTTPCookiePropertyKey("Secure")

    /// When the cookie expires: a `Date`, or a `String` with a date as cookies have them.
    public static let expires = HTTPCookiePropertyKey("Expires")

    /// A comment, a `String`.
    public static let comment = HTTPCookiePropertyKey("Comment")

    /// Where a comment is, a `URL` or a `String`.
    public static let commentURL = HTTPCookiePropertyKey("CommentURL")

    /// Whether the cookie is dropped at the session's end whenever it expires: "TRUE" or "FALSE", or
    /// a `Bool`.
    public static let discard = HTTPCookiePropertyKey("Discard")

    /// After how many seconds the cookie expires, a `String` or an `Int`. Goes before ``expires``.
    public static let maximumAge = HTTPCookiePropertyKey("Max-Age")

    /// The ports that the cookie is sent to: a `String` of numbers with commas between them. Version
    /// 0 has only one.
    public static let port = HTTPCookiePropertyKey("Port")

    /// Whether the cookie goes along with requests from other sites' pages: an
    /// ``HTTPCookieStringPolicy``, or a `String`.
    public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")

    /// Whether the cookie is kept from scripts: "TRUE" or "FALSE", or a `Bool`.
    static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}
