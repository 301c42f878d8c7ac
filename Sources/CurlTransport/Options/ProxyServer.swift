/// A proxy, and how it is talked to. See <https://curl.se/libcurl/c/CURLOPT_PROXY.html>.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol that a proxy speaks.
    public enum Kind: String, Sendable, Hashable {
        /// An HTTP proxy, reached in the clear.
        case http
        /// An HTTP proxy, reached over TLS. A configuration error where libcurl can't.
        case https
        /// SOCKS4: names are resolved here, to IPv4 addresses.
        case socks4
        /// SOCKS4a: the proxy resolves names.
        case socks4a
        /// SOCKS5 (RFC 1928): names are resolved here.
        case socks5
        /// SOCKS5: the proxy resolves names, so that none is asked for from here.
        case socks5h
    }

    /// How a client authenticates with an HTTP proxy.
    public struct AuthenticationKinds: OptionSet, Sendable, Hashable {
        /// libcurl's `CURLAUTH_` bits.
        public let rawValue: Int

        /// Creates a set from libcurl's `CURLAUTH_` bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Basic, RFC 7617.
        public static let basic = AuthenticationKinds(rawValue: 1)
        /// Digest, RFC 7616.
        public static let digest = AuthenticationKinds(rawValue: 2)
        /// Negotiate, RFC 4559; with the process' Kerberos tickets.
        public static let negotiate = AuthenticationKinds(rawValue: 4)
        /// NTLM.
        public static let ntlm = AuthenticationKinds(rawValue: 8)
    }

    /// The protocol that the proxy speaks.
    public var kind: Kind

    /// The proxy's host: a name, an IPv4 address or an IPv6 address without brackets.
    public var host: String

    /// The proxy's port, from 1 to 65535.
    public var port: Int

    /// Who is using the proxy. A SOCKS4 proxy gets the user's name only.
    public var credentials: Credentials?

    /// What the credentials may be used for with an HTTP proxy; if there are several, the
    /// strongest that the proxy offers. Basic by default, which is sent with the first request.
    /// A set that has a kind which libcurl was built without is a configuration error.
    public var authentication: AuthenticationKinds = .basic

    /// Header fields for an HTTP proxy alone, in this order; the server never sees those of a
    /// tunnel. Names must be tokens (RFC 9110) and values without control characters.
    public var headers: [ProxyHeader] = []

    /// Whether an HTTP proxy is asked for a tunnel (`CONNECT`) for `http` too; for `https` it
    /// always is. See <https://curl.se/libcurl/c/CURLOPT_HTTPPROXYTUNNEL.html>.
    public var alwaysTunnels = false

    /// How TLS connections to the proxy itself are made, where ``kind-swift.property`` is
    /// ``Kind-swift.enum/https``. What a tunnel carries is the business of
    /// ``TransferOptions/tls``.
    public var tls = TLSConfiguration()

    /// Creates a proxy's description.
    public init(_ kind: Kind, host: String, port: Int, credentials: Credentials? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credentials = credentials
    }
}
