public import HTTPTypes

/// What is done about a response that redirects (RFC 9110, section 15.4).
///
/// Whatever the policy, only `http` and `https` are followed, `https` never leads to `http`
/// unless ``allowsDowngrade`` says so, and credentials don't go to another origin.
public struct RedirectPolicy: Sendable, Hashable {
    /// What is done about each redirect.
    public enum Mode: Sendable, Hashable {
        /// It is followed.
        case follow
        /// It is the response.
        case refuse
        /// The caller is asked whether, and with which request.
        case ask
    }

    /// What is done about each redirect; followed by default.
    public var mode: Mode

    /// How many redirects are followed for one request: 20 by default, and none for a number
    /// below 1. One more fails with ``TransportError/Code/tooManyRedirects``.
    public var limit: Int

    /// Whether a redirect from `https` to `http` is followed; by default it fails with
    /// ``TransportError/Code/redirectForbidden``.
    public var allowsDowngrade = false

    /// Fields that don't go to another origin, beside Authorization, Cookie, Cookie2, Host, Origin
    /// and Proxy-Authorization: name those in which your service keeps its keys.
    public var credentialFields: [HTTPField.Name] = []

    /// Creates a policy.
    public init(mode: Mode = .follow, limit: Int = 20) {
        self.mode = mode
        self.limit = limit
    }

    /// Redirects are followed, so many for one request.
    public static func follow(limit: Int = 20) -> Self { Self(mode: .follow, limit: limit) }

    /// A response that redirects is delivered like any other.
    public static let refuse = Self(mode: .refuse)

    /// The caller is asked about each redirect. The limit holds all the same.
    public static let ask = Self(mode: .ask)
}
