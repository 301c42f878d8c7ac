/// How one transfer is done, apart from its request: limits, TLS, proxies, connections.
///
/// The defaults suit a service that talks to servers on the internet. Nothing is checked when a
/// property is set: a transfer with options that can't be honoured ends with a configuration error
/// that names the property, before anything is sent.
public struct TransferOptions: Sendable, Hashable {
    // MARK: Time

    /// The time limits: 10 seconds to connect and 60 seconds without a byte by default.
    public var timeouts = Timeouts()

    /// How long a large body waits for the server's go-ahead (`100 Continue`, RFC 9110 section
    /// 10.1.1) before it is sent anyway; by default nil: it is not asked for.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_EXPECT_100_TIMEOUT_MS.html>.
    public var expectContinue: Duration?

    /// The most bytes per second that are received, on average; nil for no limit.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAX_RECV_SPEED_LARGE.html>.
    public var maximumReceiveSpeed: Int64?

    /// The most bytes per second that are sent, on average; nil for no limit.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAX_SEND_SPEED_LARGE.html>.
    public var maximumSendSpeed: Int64?

    // MARK: HTTP

    /// The HTTP version that is asked for; by default that is left to the transport.
    public var httpVersion = HTTPVersionPolicy.automatic

    /// How the request proves whose it is; by default it doesn't.
    public var authentication: Authentication?

    /// Whether compressed responses are asked for and decoded, in all the codings that libcurl was
    /// built with; true by default. If not, no `Accept-Encoding` is sent of itself, and bodies are
    /// delivered as they come.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_ACCEPT_ENCODING.html>.
    public var decodesContent = true

    /// How far a compressed body may expand; nil, the default, for as far as it likes: a reader that
    /// takes no more than it wants needs no limit.
    public var expansionLimit: ExpansionLimit?

    /// The `User-Agent` of requests that have no such header field; nil for none.
    public var userAgent: String? = TransferOptions.defaultUserAgent

    /// What becomes of redirects. Default: followed, at most 20 of them. A negative limit is a
    /// configuration error.
    public var redirects = RedirectPolicy.follow()

    /// How many bytes of a response are read at once, from 1,024 to 524,288; nil, the default, for
    /// what suits most: 16 KiB, or 56 KiB (120 KiB where ``decodesContent`` is false) where few
    /// transfers run. What is outside is a configuration error.
    ///
    /// Large bodies cost a third less CPU with 512 KiB. Each transfer that runs takes that memory.
    /// One whose compressed body is read slowly, and expands more than hundredfold, may end with an
    /// error: what is at hand is expanded at once, for which libcurl has 64 MB.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_BUFFERSIZE.html>.
    public var receiveBufferSize: Int?

    /// How large response heads may be. A negative limit is a configuration error.
    public var responseHeadLimits = ResponseHeadLimits()

    // MARK: The way to the server

    /// How TLS connections to servers are made.
    public var tls = TLSConfiguration()

    /// Whether requests go through a proxy. By default they don't, whatever the environment says.
    public var proxy = ProxyPolicy.none

    /// Whether the delegate is told the heads with which an HTTP proxy answers requests for tunnels;
    /// false by default.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_SUPPRESS_CONNECT_HEADERS.html>.
    public var reportsTunnels = false

    /// Addresses for names that aren't to be looked up.
    public var resolve: [ResolveOverride] = []

    /// Other places to connect to; the first that matches the URL is taken.
    public var connectTo: [ConnectOverride] = []

    /// The kind of addresses that are connected to.
    public var addressFamily = AddressFamily.any

    /// How long a connection to an IPv6 address is tried before IPv4 is tried beside it (RFC
    /// 8305); nil for libcurl's 200 milliseconds.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS.html>.
    public var happyEyeballsDelay: Duration?

    /// A unix domain socket to connect to instead of the URL's host.
    public var unixSocket: UnixSocket?

    /// Where connections start from; by default the kernel's choice.
    public var localInterface: LocalInterface?

    /// The ports that connections may start from, the first that is free; nil for the kernel's
    /// choice. 0 is a configuration error.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_LOCALPORT.html>.
    public var localPorts: ClosedRange<UInt16>?

    /// How quiet connections are kept alive; nil for not at all.
    public var tcpKeepAlive: TCPKeepAlive? = TCPKeepAlive()

    /// Whether small pieces are sent at once instead of being gathered; true by default.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_TCP_NODELAY.html>.
    public var tcpNoDelay = true

    /// Whether the first bytes go with the TCP handshake (RFC 7413). False by default; errors of
    /// the connection then show up when sending. A configuration error where libcurl can't.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_TCP_FASTOPEN.html>.
    public var tcpFastOpen = false

    /// Whether a connection may serve several requests; true by default. If not, this one gets a
    /// new connection, which is closed after it.
    public var reusesConnection = true

    /// Whether a request is sent again, at once and over another connection, where a connection that
    /// had served before ends without an answer; true by default. The server may have acted on the
    /// request: libcurl sends it again whatever its method is, up to five times. If not, the transfer
    /// ends with ``TransportError/Code/unanswered``, as does a stream of HTTP/2 that was refused.
    public var resendsUnanswered = true

    // MARK: Looking at it

    /// Whether what libcurl says about its work is handed on; false by default.
    public var isVerbose = false

    /// Creates options with the defaults.
    public init() {}
}
