public import HTTPTypes

/// A redirect, and the request that follows it.
public struct Redirect: Sendable, Hashable {
    /// The status code of the response that redirects: 301, 302, 303, 307 or 308.
    public let statusCode: Int

    /// Where it leads: an absolute URL, without user info and fragment.
    public let location: String

    /// The request that is proposed: method, URL and fields changed as RFC 9110 says, without
    /// what must not reach another origin.
    public var request: HTTPRequest

    /// Whether the request's body is sent again.
    public let keepsBody: Bool

    /// Whether the redirect leads to another origin, so that neither configured nor given
    /// credentials may go along.
    public let dropsCredentials: Bool

    /// Which redirect of the request this is, counted from 1.
    public let count: Int
}
