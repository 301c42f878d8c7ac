/// Credentials that a run sends to the hosts of its list.
///
/// They are sent with a URL's own requests, its `robots.txt` included, and never after a redirect to
/// another origin. If a line has an `Authorization` field, or its URL a user name, that is sent
/// instead.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BatchCredentials: Sendable, Hashable {
    /// A user name without a colon, and a password, sent as Basic (RFC 7617) with the first request.
    case basic(user: String, password: String)

    /// A bearer token (RFC 6750).
    case bearer(token: String)

    /// Signatures of AWS, version 4.
    ///
    /// The provider is `aws:amz`, followed by region and service if the host isn't one of
    /// `amazonaws.com`, which declares them: `aws:amz:eu-west-1:s3`. A session token is sent as
    /// `X-Amz-Security-Token`. A query is sent as AWS signs it, with sorted parameters. S3 gets
    /// `x-amz-content-sha256`, except with a body from a file over `http`, which can't be hashed
    /// beforehand: its line needs the field. See
    /// <https://curl.se/libcurl/c/CURLOPT_AWS_SIGV4.html>.
    case awsSigV4(
        provider: String,
        accessKey: String,
        secretKey: String,
        sessionToken: String? = nil
    )
}

extension BatchCredentials: CustomStringConvertible, CustomReflectable {
    /// The kind of credentials, without user, password and token.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .awsSigV4: "AWS SigV4"
        }
    }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
