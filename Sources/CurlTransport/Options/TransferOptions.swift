internal import Curl
public import HTTPTypes

/// The options of a transfer: limits, TLS, proxies, connections.
///
/// The defaults suit a service that connects to servers on the internet. Setting a property checks
/// nothing. A transfer with an invalid option fails with a configuration error that names the
/// property, before anything is sent.
public struct TransferOptions: Sendable, Hashable {
    // MARK: Timeouts and rates

    /// The timeouts. Default: 10 seconds to connect and 60 seconds without a byte.
    public var timeouts = Timeouts()

    /// How long a large body waits for `100 Continue`. Default: nil.
    ///
    /// After that, the body is sent anyway. With nil, the request doesn't ask for it (RFC 9110,
    /// section 10.1.1); but with an AWS signature, libcurl before 8.3 may ask by itself, because the
    /// signature would be invalid otherwise.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_EXPECT_100_TIMEOUT_MS.html>.
    public var expectContinue: Duration?

    /// The maximum average rate of received bytes per second; nil for no limit.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAX_RECV_SPEED_LARGE.html>.
    public var maximumReceiveSpeed: Int64?

    /// The maximum average rate of sent bytes per second; nil for no limit.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAX_SEND_SPEED_LARGE.html>.
    public var maximumSendSpeed: Int64?

    // MARK: HTTP

    /// The HTTP version of the request. By default the transport chooses.
    public var httpVersion = HTTPVersionPolicy.automatic

    /// Whether HTTP/3 is used for origins that announce it with `Alt-Svc`. Default: false.
    ///
    /// The default is that of libcurl. Source: RFC 7838. The event loop keeps announcements in
    /// memory for their lifetime. It follows those for the origin's own host and port, over
    /// `https`, without a proxy, if ``httpVersion`` is ``HTTPVersionPolicy/automatic`` or
    /// ``HTTPVersionPolicy/http2``. Connections of earlier versions to such an origin are closed
    /// after their response. If the HTTP/3 connection fails, the request uses an earlier version,
    /// and the announcement is ignored for 5 minutes. No effect if libcurl doesn't support HTTP/3.
    public var usesAltSvc = false

    /// The authentication of the request. Default: none.
    public var authentication: Authentication?

    /// Whether compressed responses are requested and decoded. Default: true.
    ///
    /// If false, no `Accept-Encoding` field is added, and bodies are delivered undecoded.
    ///
    /// Supported codings are gzip and deflate, and Brotli and Zstandard if the installed libcurl
    /// supports them. Up to five may be combined, and Brotli or Zstandard once among them. A
    /// compressed body that ends too early fails with ``TransportError/Code/truncatedResponse``,
    /// even if the response itself has the announced length; a 206 response may be any part of a
    /// body. An unknown coding, or another combination, fails with
    /// ``TransportError/Code/decodingFailed`` when the first byte arrives. Source: RFC 9110,
    /// section 8.4.
    ///
    /// In addition to the body's window, a transfer needs memory for the coding's own window, if
    /// the server uses it: 32 KiB for gzip and deflate, up to 8 MB for Zstandard and 16 MB for
    /// Brotli. ``TransportConfiguration/maximumDecoderMemory`` limits the sum of all transfers.
    public var decodesContent = true

    /// The decompression limit of a body. Default: nil, no limit.
    ///
    /// A consumer that reads only as much as it needs requires no limit.
    public var decompressionLimit: DecompressionLimit?

    /// The `User-Agent` of requests without such a header field; nil for none.
    public var userAgent: String? = TransferOptions.defaultUserAgent

    /// Fields that are only sent if the request has them itself. Default: none.
    ///
    /// It matters for `Accept`, `Accept-Encoding` and `User-Agent`, which are added otherwise. A
    /// body is decoded also if it was encoded without being asked for. With an AWS signature and
    /// libcurl before 8.3, `Accept` is sent all the same: the signature would be invalid otherwise.
    public var omittedFields: Set<HTTPField.Name> = []

    /// The redirect policy. Default: up to 20 redirects are followed.
    ///
    /// A negative limit is a configuration error.
    public var redirects = RedirectPolicy.follow()

    /// The number of response bytes that are read at once.
    ///
    /// Values range from 1,024 to 524,288. The default, nil, is 16 KiB, or 120 KiB while few
    /// transfers run. Other values are configuration errors. Large bodies need a third less CPU
    /// time with 512 KiB. Each running transfer uses that much memory.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_BUFFERSIZE.html>.
    public var receiveBufferSize: Int?

    /// The limits of response heads. A negative limit is a configuration error.
    public var responseHeadLimits = ResponseHeadLimits()

    // MARK: Connections

    /// The TLS configuration for connections to servers.
    public var tls = TLSConfiguration()

    /// The proxy policy. Default: no proxy, and the environment is ignored.
    public var proxy = ProxyPolicy.none

    /// Whether the delegate receives the heads of an HTTP proxy's CONNECT responses. Default:
    /// false.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_SUPPRESS_CONNECT_HEADERS.html>.
    public var reportsTunnels = false

    private var addresses = AddressOptions()

    /// Addresses for host names, which replace their lookups.
    public var resolve: [ResolveOverride] {
        get { addresses.resolve }
        set { addresses.resolve = newValue }
    }

    /// Different hosts and ports to connect to. The first entry that matches the URL is used.
    public var connectTo: [ConnectOverride] {
        get { addresses.connectTo }
        set { addresses.connectTo = newValue }
    }

    /// The IP versions that are used. Default: both.
    public var addressFamily: AddressFamily {
        get { addresses.addressFamily }
        set { addresses.addressFamily = newValue }
    }

    /// Which addresses may be connected to. Default: any.
    ///
    /// Set ``AddressScope/publicOnly`` for URLs that others choose.
    public var addressScope: AddressScope {
        get { addresses.addressScope }
        set { addresses.addressScope = newValue }
    }

    /// How long IPv6 is tried before IPv4 is tried, too (RFC 8305).
    ///
    /// Nil, the default, is libcurl's 200 milliseconds.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS.html>.
    public var happyEyeballsDelay: Duration? {
        get { addresses.happyEyeballsDelay }
        set { addresses.happyEyeballsDelay = newValue }
    }

    /// A unix domain socket to connect to instead of the URL's host.
    public var unixSocket: UnixSocket? {
        get { addresses.unixSocket }
        set { addresses.unixSocket = newValue }
    }

    /// The local interface or address of connections. By default the kernel chooses.
    public var localInterface: LocalInterface? {
        get { addresses.localInterface }
        set { addresses.localInterface = newValue }
    }

    /// The local ports of connections; the first free one is used. By default the kernel chooses.
    ///
    /// 0 is a configuration error.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_LOCALPORT.html>.
    public var localPorts: ClosedRange<UInt16>? {
        get { addresses.localPorts }
        set { addresses.localPorts = newValue }
    }

    /// The keep-alive probes of idle connections; nil for none.
    public var tcpKeepAlive: TCPKeepAlive? = TCPKeepAlive()

    /// Whether small packets are sent at once, without Nagle's algorithm. Default: true.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_TCP_NODELAY.html>.
    public var tcpNoDelay = true

    /// Whether data is sent with the TCP handshake (RFC 7413). Default: false.
    ///
    /// Connection errors are then reported when sending. A configuration error if libcurl doesn't
    /// support it.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_TCP_FASTOPEN.html>.
    public var tcpFastOpen = false

    /// Whether connections may be reused. Default: true.
    ///
    /// If false, the request gets a new connection, which is closed after the response.
    public var reusesConnection = true

    /// Which requests are retried if a reused connection is lost. Default: idempotent ones.
    ///
    /// A request is retried over another connection if its connection had been used before, or
    /// multiplexes (HTTP/2), and is lost before the first byte of the response. The server may have
    /// acted on the request. If it isn't retried, the transfer fails with
    /// ``TransportError/Code/unanswered``, or with the error of the connection. Over HTTP/1, a
    /// request is sent at most six times. A request whose stream the server has reset is sent once,
    /// unless the server has refused it without acting on it (`REFUSED_STREAM`).
    public var retriesOnReusedConnectionLoss = ConnectionLossRetry.idempotent

    // MARK: Diagnostics

    /// Whether libcurl's verbose output is passed on. Default: false.
    public var isVerbose = false

    /// Creates options with the defaults.
    public init() {}
}

extension TransferOptions {
    /// The default of ``userAgent``: the versions of this library and of the installed libcurl.
    public static let defaultUserAgent = "CurlNetworking/0.1 libcurl/\(CurlVersion.current.text)"
}

/// Which requests are retried when a reused connection ends without a response.
///
/// A server may close an idle connection while a request is being written to it. The client then
/// can't know whether the server has processed the request. Source: RFC 9110, section 9.2.2.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ConnectionLossRetry: Sendable, Hashable {
    /// No request.
    case never

    /// Requests that may be repeated according to their ``Idempotency``.
    ///
    /// By default, these are requests with an idempotent method or an `Idempotency-Key` field.
    /// Other requests are retried only if the server reports that it didn't process them: it asks
    /// for HTTP/1.1 on an HTTP/2 stream, or refuses a stream. libcurl 8.23 reports each refusal,
    /// 8.14 and earlier mostly only that of the first stream of a connection.
    case idempotent

    /// All requests, except with ``Idempotency/no``. A server may then act on a `POST` twice.
    case always
}

/// The options that choose both ends of a connection.
private struct AddressOptions: Sendable, Hashable {
    var resolve: [ResolveOverride] = []
    var connectTo: [ConnectOverride] = []
    var addressFamily = AddressFamily.any
    var addressScope = AddressScope.any
    var happyEyeballsDelay: Duration?
    var unixSocket: UnixSocket?
    var localInterface: LocalInterface?
    var localPorts: ClosedRange<UInt16>?
}
