/// Whether a cookie goes along with requests that pages of other sites cause (RFC 6265bis, 5.4.7).
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    /// The value of the attribute `SameSite`, in small letters.
    public let rawValue: String

    /// Creates a policy.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// With those that follow a link, and no other.
    public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")

    /// With none.
    public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}
