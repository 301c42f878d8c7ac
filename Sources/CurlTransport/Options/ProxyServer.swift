internal import Curl

/// A proxy server. See <https://curl.se/libcurl/c/CURLOPT_PROXY.html>.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol that a proxy speaks.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable {
        /// An HTTP proxy, connected to without TLS.
        case http
        /// An HTTP proxy, connected to over TLS. A configuration error if libcurl doesn't support
        /// it.
        ///
        /// `https` requests of HTTP/1 have a new connection each, because what a server sends
        /// behind a response can't be detected in two layers of TLS.
        case https
        /// SOCKS4: names are resolved locally, to IPv4 addresses.
        case socks4
        /// SOCKS4a: the proxy resolves names.
        case socks4a
        /// SOCKS5 (RFC 1928): names are resolved locally.
        case socks5
        /// SOCKS5: the proxy resolves names; there are no local lookups.
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

        /// Those that the installed libcurl has: Basic, Digest, and what it was built with.
        ///
        /// The same are available for servers: see ``TransferOptions/authentication``.
        public static let available: AuthenticationKinds = {
            var kinds: AuthenticationKinds = [.basic, .digest]
            if CurlVersion.current.supportsNegotiate { kinds.insert(.negotiate) }
            if CurlVersion.current.supportsNTLM { kinds.insert(.ntlm) }
            return kinds
        }()
    }

    /// The protocol that the proxy speaks.
    public var kind: Kind

    /// The proxy's host: a name, an IPv4 address or an IPv6 address without brackets.
    public var host: String

    /// The proxy's port, from 1 to 65535.
    public var port: Int

    /// The user name and password; nil for none. A SOCKS4 proxy gets only the user name.
    public var credentials: Credentials?

    /// The authentication methods that may be used with an HTTP proxy. Default: Basic.
    ///
    /// If there are several, libcurl chooses the strongest that the proxy offers. Basic credentials
    /// are sent with the first request. A method that libcurl was built without is a configuration
    /// error.
    public var authentication: AuthenticationKinds = .basic

    /// Header fields that only an HTTP proxy receives, in this order.
    ///
    /// The server at the end of a tunnel doesn't receive them. Names must be tokens (RFC 9110),
    /// values must not contain control characters.
    public var headers: [ProxyHeader] = []

    /// Whether `http` requests use an HTTP proxy's tunnel (`CONNECT`), too. Default: false.
    ///
    /// `https` requests always do. See <https://curl.se/libcurl/c/CURLOPT_HTTPPROXYTUNNEL.html>.
    public var alwaysTunnels = false

    /// The TLS configuration for connections to the proxy itself.
    ///
    /// Used if ``kind-swift.property`` is ``Kind-swift.enum/https``. ``TransferOptions/tls``
    /// applies to connections through a tunnel.
    public var tls = TLSConfiguration()

    /// Creates a proxy server.
    public init(_ kind: Kind, host: String, port: Int, credentials: Credentials? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credentials = credentials
    }
}

/// A header field for a proxy. See <https://curl.se/libcurl/c/CURLOPT_PROXYHEADER.html>.
public struct ProxyHeader: Sendable, Hashable {
    /// The field's name, a token of RFC 9110.
    public var name: String

    /// The field's value.
    public var value: String

    /// Creates a header field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension ProxyHeader: CustomStringConvertible, CustomReflectable {
    /// The name only: the value may be a secret.
    public var description: String { name }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
