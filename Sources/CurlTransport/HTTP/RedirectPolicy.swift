public import HTTPTypes

/// The handling of redirects (RFC 9110, section 15.4).
///
/// Each policy follows only `http` and `https`. `https` redirects to `http` are followed only with
/// ``allowsDowngrade``. Credentials aren't sent to another origin.
public struct RedirectPolicy: Sendable, Hashable {
    /// The handling of each redirect.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Mode: Sendable, Hashable {
        /// Follows it.
        case follow
        /// Delivers it as the response.
        case refuse
        /// Lets the caller decide whether to follow it, and with which request.
        case ask
    }

    /// The handling of each redirect. Default: it is followed.
    public var mode: Mode

    /// The maximum number of redirects for one request. Default: 20.
    ///
    /// A number below 1 means none. One more redirect fails with
    /// ``TransportError/Code/tooManyRedirects``.
    public var limit: Int

    /// Whether a redirect from `https` to `http` is followed. Default: false.
    ///
    /// If false, it fails with ``TransportError/Code/redirectForbidden``.
    public var allowsDowngrade = false

    /// Additional fields that aren't sent to another origin.
    ///
    /// Host and Origin are never sent to another origin, nor are fields with credentials:
    /// Authorization, Cookie, and all whose names have a word such as token, secret, session,
    /// signature or, as the last one, key. Name those of your service that none of these words
    /// gives away.
    public var credentialFields: [HTTPField.Name] = []

    /// Creates a policy.
    public init(mode: Mode = .follow, limit: Int = 20) {
        self.mode = mode
        self.limit = limit
    }

    /// Follows redirects, at most `limit` for one request.
    public static func follow(limit: Int = 20) -> Self { Self(mode: .follow, limit: limit) }

    /// Delivers a redirecting response like any other.
    public static let refuse = Self(mode: .refuse)

    /// Lets the caller decide on each redirect. The limit still applies.
    public static let ask = Self(mode: .ask)
}

/// A redirect, and the request to its target.
public struct Redirect: Sendable, Hashable {
    /// The status code of the redirecting response: 301, 302, 303, 307 or 308.
    public let statusCode: Int

    /// The target: an absolute URL, without user info and fragment.
    public let location: String

    /// The proposed request.
    ///
    /// Method, URL and fields are changed according to RFC 9110. Fields that another origin must
    /// not receive are removed.
    public var request: HTTPRequest

    /// Whether the request's body is sent again.
    public let keepsBody: Bool

    /// Whether the target has another origin.
    ///
    /// If so, neither configured credentials nor those in fields are sent.
    public let dropsCredentials: Bool

    /// The number of this redirect of the request, counted from 1.
    public let count: Int

    /// Creates a redirect, to call hooks and observers in tests.
    ///
    /// - Parameters:
    ///   - request: the proposed request.
    ///   - location: the target; by default the URL of `request`.
    ///   - keepsBody: whether the body is sent again; by default with the codes 307 and 308.
    public init(
        to request: HTTPRequest,
        statusCode: Int = 302,
        location: String? = nil,
        keepsBody: Bool? = nil,
        dropsCredentials: Bool = false,
        count: Int = 1
    ) {
        self.request = request
        self.statusCode = statusCode
        self.location = location ?? request.url ?? ""
        self.keepsBody = keepsBody ?? (statusCode == 307 || statusCode == 308)
        self.dropsCredentials = dropsCredentials
        self.count = count
    }
}
