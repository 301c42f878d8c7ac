/// How a request authenticates.
///
/// Credentials aren't sent to another origin after a redirect. Control characters in any of the
/// strings, and methods that libcurl was built without, are configuration errors. A server that
/// refuses the credentials causes its 401 to be delivered; one that demands them more than 20 times
/// for a request causes ``TransportError/Code/authenticationFailed``. See
/// <https://curl.se/libcurl/c/CURLOPT_HTTPAUTH.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Authentication: Sendable, Hashable {
    /// Basic (RFC 7617), sent with the first request. The user name can't contain a colon.
    case basic(user: String, password: String)

    /// Digest (RFC 7616). A second request responds to the server's challenge.
    case digest(user: String, password: String)

    /// A bearer token (RFC 6750), sent with the first request.
    case bearer(token: String)

    /// NTLM. It authenticates a connection and needs HTTP/1.1.
    case ntlm(user: String, password: String)

    /// Negotiate (RFC 4559) with the Kerberos tickets of the process.
    ///
    /// The Kerberos library may query its servers and block the event loop meanwhile.
    case negotiate

    /// The strongest method that the server offers.
    ///
    /// The candidates are Basic, Digest, NTLM and, if the process has Kerberos tickets, Negotiate.
    /// The first request is sent without credentials.
    case any(user: String, password: String)

    /// AWS signature version 4.
    ///
    /// The provider is `aws:amz`, followed by region and service if the host name doesn't declare
    /// them: `aws:amz:eu-west-1:s3`. Names in `amazonaws.com` do: `SERVICE.REGION`, and those of S3
    /// with a bucket, without region (`us-east-1`), and with `dualstack`. A request to another host
    /// without both fails with ``TransportError/Code/invalidRequest``. A session token is sent as
    /// `X-Amz-Security-Token`.
    ///
    /// The parameters of a query are sent in the order and encoding that AWS signs: `?b&a=1` as
    /// `?a=1&b=`.
    ///
    /// For S3, `x-amz-content-sha256` is added unless the request has it. It is the hash of a small
    /// body, or of none; for a body that is streamed over TLS, `UNSIGNED-PAYLOAD`. Another streamed
    /// body can't be hashed beforehand: such a request needs its own field. libcurl before 7.87
    /// ignores that field when it signs. libcurl before 8.3 would also sign a missing `Content-Type`
    /// of a body, and servers refuse that: `application/octet-stream` is sent then. See
    /// <https://curl.se/libcurl/c/CURLOPT_AWS_SIGV4.html>.
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

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A user name and password, which its description doesn't contain.
public struct Credentials: Sendable, Hashable {
    /// The user's name.
    public var user: String

    /// The password, which may be empty.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// A placeholder that keeps secrets out of logs.
    public var description: String { "credentials" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
