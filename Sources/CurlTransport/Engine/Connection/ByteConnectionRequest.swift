/// The destination of a connection for bytes, and how to connect.
public struct ByteConnectionRequest: Sendable {
    /// The protocol that the TLS handshake announces (ALPN, RFC 7301).
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ApplicationProtocol: Sendable, Hashable {
        /// No protocol is announced.
        case unnamed
        /// Only `http/1.1` is announced, for protocols that start with HTTP.
        case http1
    }

    /// The host, with a port unless it is 80, or 443 with TLS. An IPv6 address has brackets.
    public var authority: String

    /// Whether to use TLS.
    public var isSecure: Bool

    /// The protocol that TLS announces; none by default.
    public var applicationProtocol: ApplicationProtocol

    /// Timeouts, TLS, proxies and other options.
    ///
    /// Options for HTTP are ignored. ``Timeouts/connect`` applies until the connection is open.
    /// ``Timeouts/idle`` then applies while no byte moves in either direction. ``Timeouts/total``
    /// applies until the end. An HTTP proxy is always asked for a tunnel.
    public var options: PreparedOptions

    /// The maximum duration of the connection, in addition to ``Timeouts/total`` of the options.
    public var timeLimit: Duration?

    /// The size of the send buffer in bytes; 256 KiB by default.
    ///
    /// A larger piece is accepted if no other bytes are waiting.
    public var sendBufferSize = 256 * 1024

    /// Creates a request.
    public init(
        authority: String,
        isSecure: Bool,
        applicationProtocol: ApplicationProtocol = .unnamed,
        options: PreparedOptions
    ) {
        self.authority = authority
        self.isSecure = isSecure
        self.applicationProtocol = applicationProtocol
        self.options = options
    }
}
