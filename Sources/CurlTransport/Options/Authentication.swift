/// How a request proves whose it is.
///
/// Nothing of this goes to another origin after a redirect. Control characters in any of the
/// strings, and methods that libcurl was built without, are configuration errors.
/// See <https://curl.se/libcurl/c/CURLOPT_HTTPAUTH.html>.
public enum Authentication: Sendable, Hashable {
    /// Basic (RFC 7617), sent with the first request. A user's name can't have a colon.
    case basic(user: String, password: String)

    /// Digest (RFC 7616): a second request answers the server's challenge.
    case digest(user: String, password: String)

    /// A bearer token (RFC 6750), sent with the first request.
    case bearer(token: String)

    /// NTLM, which authenticates a connection and needs HTTP/1.1.
    case ntlm(user: String, password: String)

    /// Negotiate (RFC 4559) with the process' Kerberos tickets.
    ///
    /// The Kerberos library may ask its servers while the event loop waits for it.
    case negotiate

    /// The strongest that the server offers of Basic, Digest, NTLM and, where the process has
    /// Kerberos tickets, Negotiate. The first request goes without credentials.
    case any(user: String, password: String)

    /// AWS signature version 4.
    ///
    /// The provider is `aws:amz` with, if the host's name doesn't tell them, region and service:
    /// `aws:amz:eu-west-1:s3`. The session token, if there is one, is sent as
    /// `X-Amz-Security-Token`. A body that is streamed can't be hashed beforehand: such a request
    /// needs its own `x-amz-content-sha256` field.
    /// See <https://curl.se/libcurl/c/CURLOPT_AWS_SIGV4.html>.
    case awsSigV4(
        provider: String,
        accessKey: String,
        secretKey: String,
        sessionToken: String? = nil
    )
}

extension Authentication: CustomStringConvertible, CustomReflectable {
    /// The method's name, without user, password and token.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        case .any: "any authentication"
        case .awsSigV4: "AWS SigV4"
        }
    }

    /// Shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
