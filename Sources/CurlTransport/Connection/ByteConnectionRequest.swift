/// Where a connection for bytes leads, and how it is made.
public struct ByteConnectionRequest: Sendable {
    /// What the TLS handshake says will be spoken (ALPN, RFC 7301).
    public enum ApplicationProtocol: Sendable, Hashable {
        /// Nothing is said.
        case unnamed
        /// `http/1.1`, and nothing else: for what begins as HTTP.
        case http1
    }

    /// The host, with a port where it isn't 80, or 443 with TLS; an IPv6 address in brackets.
    public var authority: String

    /// Whether the bytes go over TLS.
    public var isSecure: Bool

    /// What TLS says will be spoken. Default: nothing is said.
    public var applicationProtocol: ApplicationProtocol

    /// Time limits, TLS, proxies and so on.
    ///
    /// What they say about HTTP is of no consequence here. ``Timeouts/connect`` counts until the
    /// connection is open, ``Timeouts/idle`` from then on while no byte moves in either direction,
    /// and ``Timeouts/total`` until the end. An HTTP proxy is always asked for a tunnel.
    public var options: PreparedOptions

    /// How long the connection may last in all, beside ``Timeouts/total`` of the options.
    public var timeLimit: Duration?

    /// How many bytes may wait in the connection to be sent. Default: 256 KiB.
    ///
    /// A piece that is larger is taken when nothing else waits.
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
