internal import Curl
internal import HTTPTypes
internal import Posix

/// Options that were checked once and can be applied to many handles.
///
/// Only values that differ from libcurl's defaults are set, because they are set for each transfer.
/// A plain `http` transfer takes 10 options from here and a plain `https` transfer 13. The options
/// that a transfer needs, and who sets them:
///
/// | libcurl's option | its default | here |
/// |---|---|---|
/// | `NOSIGNAL` | 0 | 1, always: signals belong to the program |
/// | `QUICK_EXIT` | 0 | 1, always (libcurl 7.87): no wait for abandoned name lookups |
/// | `PROTOCOLS` | all | the request's scheme, always |
/// | `REDIR_PROTOCOLS` | http, https, ftp, ftps | the request's scheme, always; libcurl follows no redirects |
/// | `PATH_AS_IS` | 0 | 1, always: the path is sent unchanged |
/// | `PROXY`, `NOPROXY` | the environment's | always, so that libcurl doesn't read the environment |
/// | `TCP_KEEPALIVE` | 0 | 1, unless ``TransferOptions/tcpKeepAlive`` is nil |
/// | `TCP_KEEPIDLE`, `TCP_KEEPINTVL` | 60 s | if different |
/// | `TCP_NODELAY` | 1 | if disabled |
/// | `ACCEPT_ENCODING`, `HTTP_CONTENT_DECODING` | none, 1 | with an AWS signature all codings and 0; otherwise a field lists the codings and the transfer decodes |
/// | `USERAGENT` | none | ``TransferOptions/userAgent`` with a proxy or an AWS signature; otherwise it is one of the fields |
/// | `HTTP_VERSION` | 2TLS | always; for `http` 1.1, except with prior knowledge |
/// | `CAINFO`, `CAPATH` | as built | for `https`: one set, the other cleared, so that libcurl caches the parsed file |
/// | `SSLVERSION` | the TLS library's | for `https` |
/// | `SSL_VERIFYPEER`, `SSL_VERIFYHOST` | 1, 2 | if disabled |
/// | other TLS options | none | for `https`, if given |
/// | `PROXY_…` of TLS | as those without `PROXY_` | if the proxy's kind is `https`: both of `CAINFO` and `CAPATH`, and the version |
/// | `SUPPRESS_CONNECT_HEADERS` | 0 | 1 with an HTTP proxy, unless ``TransferOptions/reportsTunnels`` is set, or it may need several rounds of authentication: its heads aren't the server's |
/// | `SOCKS5_AUTH` | Basic and GSS-API | Basic with a SOCKS5 proxy: GSS-API blocks |
/// | `CONNECTTIMEOUT_MS` | 300 s | if the timeout is longer than 295 s, or none |
/// | `TIMEOUT_MS` | none | 5 s after ``Timeouts/total``, if set |
/// | `PIPEWAIT` | 0 | 1 if the event loop requests it: `https` that may be HTTP/2 |
/// | `HTTPAUTH`, `USERNAME`, `PASSWORD`, … | Basic, none | if credentials may be sent to this origin |
/// | `FOLLOWLOCATION` | 0 | not set: the transfer decides on each redirect |
/// | `NOPROGRESS` | 1 | not set |
/// | `HTTP09_ALLOWED` | 0 since 7.66 | not set |
/// | `NETRC` | ignored | not set |
/// | `COOKIEFILE`, `HSTS`, `ALTSVC` | off | not set: they would be hidden state; the loop remembers announced HTTP/3, see ``TransferOptions/usesAltSvc`` |
/// | `UNRESTRICTED_AUTH` | 0 | not set |
/// | `DEFAULT_PROTOCOL` | guessed | not set: a URL without a scheme is rejected before |
/// | `HEADEROPT` | separate since 7.42 | not set |
/// | `SSL_OPTIONS` | none | not set: they weaken security for old servers |
/// | `SSL_ENABLE_ALPN`, `SSL_SESSIONID_CACHE` | 1 | not set |
/// | `BUFFERSIZE` | 16 KiB | ``TransferOptions/receiveBufferSize``; otherwise more while few transfers run |
/// | `SHARE`, `DNS_CACHE_TIMEOUT`, `MAXAGE_CONN`, `MAXLIFETIME_CONN` | | the event loop's |
/// | `PRIVATE`, `ERRORBUFFER`, all callbacks | | set when a handle is created |
/// | URL, method, header list, body, `Expect` | | the request's |
///
/// The initializer reads files and the environment, so it may block: don't call it on an event
/// loop. An instance can be used from any thread. See
/// <https://curl.se/libcurl/c/curl_easy_setopt.html>.
public final class PreparedOptions: Sendable {
    /// The options that this was created from.
    public let options: TransferOptions

    /// The token for an AWS signature.
    ///
    /// The header list contains it as `X-Amz-Security-Token` if credentials are sent.
    let securityToken: String?

    /// Entries of `CURLOPT_RESOLVE` and `CURLOPT_CONNECT_TO`.
    let resolve: [String]
    let connectTo: [String]

    /// By scheme.
    private let clear: PreparedRoute
    private let secure: PreparedRoute

    /// For an origin to which credentials may be sent.
    let credentials: [EasySetting]

    // Facts that each transfer needs, computed once.

    /// The lines of fields that the options add if a request has no such field.
    ///
    /// Nil if the options add none, or if libcurl adds it.
    let userAgentField: String?
    let acceptEncodingField: String?

    /// Whether libcurl must not add an `Accept` field.
    let omitsAccept: Bool

    /// Distinguishes routes that don't share connections: proxies, unix sockets.
    let route: String

    let addressScope: PreparedAddressScope

    /// Whether requests over `http` send whole URLs to a proxy, except to excluded hosts.
    ///
    /// Servers accept such requests, too (RFC 9112, section 3.2.2).
    let asksProxyForURLs: Bool

    /// Whether requests are signed for AWS if credentials are sent.
    let isSigned: Bool

    /// Whether Digest credentials may be sent to a server.
    let mayUseDigest: Bool

    /// Whether a handle can serve successive transfers that only change the path and the fields.
    let allowsPlainHandles: Bool

    /// Whether libcurl may answer a 401 or 407 with another request by itself.
    let answersChallenges: Bool

    /// Whether an `https` transfer may become an HTTP/2 stream.
    let offersHTTP2: Bool

    /// Whether HTTP/3 is used for `https` origins that announce it.
    let usesAltSvc: Bool

    let limits: TimeLimits

    /// The number of bytes that libcurl reads at once; nil if the event loop chooses.
    let receiveBufferSize: Int?
    let decodesContent: Bool

    /// The in-memory files that settings name. They exist as long as options that name them.
    private let trustFiles: [MemoryFile]

    /// Checks `options`, and reads the files and environment variables that they name.
    ///
    /// - Throws: ``TransportError/Code/configuration`` if an option can't be applied, and
    ///   ``TransportError/Code/unsupportedFeature`` if the installed libcurl lacks a feature.
    public convenience init(
        _ options: TransferOptions = TransferOptions()
    ) throws(TransportError) {
        do {
            try self.init(options, environment: { ProcessEnvironment.value(of: $0) })
        } catch {
            throw error.transportError
        }
    }

    /// Checks `options`. Environment variables come from `environment`.
    init(
        _ options: TransferOptions,
        environment: (String) -> String?
    ) throws(InvalidOption) {
        self.options = options
        let http = try PreparedHTTP(options)
        let connection = try PreparedConnection(options)
        let tls = try PreparedTLS(options.tls, names: .server, option: "tls")
        let proxies = try Self.proxies(of: options, environment)
        if proxies.clear.isUsed || proxies.secure.isUsed { try connection.refuseProxies(options) }
        let authentication = try PreparedCredentials(options.authentication)
        credentials = authentication.settings
        securityToken = authentication.securityToken
        userAgentField = options.ownUserAgentField
        acceptEncodingField = options.ownAcceptEncodingField
        omitsAccept = options.omittedFields.contains(.accept) && !options.signsRemovedFields
        route = options.route
        addressScope = try PreparedAddressScope(options.addressScope)
        asksProxyForURLs = proxies.clear.asksForURLs
        switch options.authentication {
        case .awsSigV4: (isSigned, mayUseDigest) = (true, false)
        case .digest, .any: (isSigned, mayUseDigest) = (false, true)
        default: (isSigned, mayUseDigest) = (false, false)
        }
        answersChallenges = options.answersChallenges
        allowsPlainHandles =
            options.allowsPlainHandles && connection.resolve.isEmpty
        offersHTTP2 = options.offersHTTP2
        usesAltSvc = options.mayUseAltSvc && !proxies.secure.isUsed
        limits = TimeLimits(options.timeouts)
        receiveBufferSize = options.receiveBufferSize
        decodesContent = options.decodesContent
        resolve = connection.resolve
        connectTo = connection.connectTo
        let common = http.settings + connection.settings
        clear = PreparedRoute(
            settings: Self.always(for: EasyValue.Scheme.http) + common + http.clear
                + proxies.clear.settings,
            files: TrackedFiles(proxies.clear.files),
            proxyHeaders: proxies.clear.headers,
            usesProxy: proxies.clear.isUsed,
            tlsProxyPort: proxies.clear.tlsPort,
            reportsTunnels: proxies.clear.reportsTunnels
        )
        secure = PreparedRoute(
            settings: Self.always(for: EasyValue.Scheme.https) + common + http.secure + tls.settings
                + proxies.secure.settings,
            files: TrackedFiles(tls.files + proxies.secure.files),
            proxyHeaders: proxies.secure.headers,
            usesProxy: proxies.secure.isUsed,
            tlsProxyPort: proxies.secure.tlsPort,
            reportsTunnels: proxies.secure.reportsTunnels
        )
        trustFiles = [tls.trustFile, proxies.clear.trustFile, proxies.secure.trustFile]
            .compactMap(\.self)
    }

    /// The settings for `https` or for `http`.
    func route(isSecure: Bool) throws(InvalidOption) -> PreparedRoute {
        guard !isSecure else { return secure }
        guard options.httpVersion != .http3 else {
            throw InvalidOption(
                "httpVersion",
                "is .http3, which is for https URLs only; use .automatic for this one"
            )
        }
        return clear
    }

    /// The files that a scheme's settings name, in their current versions.
    func files(
        isSecure: Bool,
        at now: MonotonicTime,
        opensConnection: Bool
    ) -> FileSettings? {
        (isSecure ? secure : clear).files?.settings(at: now, opensConnection: opensConnection)
    }

    /// Whether transfers of a scheme go through a proxy, except to excluded hosts.
    func usesProxy(isSecure: Bool) -> Bool {
        isSecure ? secure.usesProxy : clear.usesProxy
    }

    /// Whether a connection leads to a scheme's proxy and uses TLS with it.
    ///
    /// A server that is an exception counts, too, if it has the same port.
    func usesTLSProxy(between ends: ConnectionEnds, isSecure: Bool) -> Bool {
        (isSecure ? secure.tlsProxyPort : clear.tlsProxyPort) == ends.remotePort
    }

    /// Whether libcurl delivers the heads of a scheme's tunnels.
    func reportsTunnels(isSecure: Bool) -> Bool {
        isSecure ? secure.reportsTunnels : clear.reportsTunnels
    }

    /// - Parameter scheme: One of `EasyValue.Scheme`.
    private static func always(for scheme: Int) -> [EasySetting] {
        var settings: [EasySetting] = [
            .flag(.noSignal, true),
            .number(.protocols, scheme),
            .number(.redirectProtocols, scheme),
            .flag(.pathAsIs, true),
        ]
        if CurlVersion.current.isAtLeast(7, 87) { settings.append(.flag(.quickExit, true)) }
        return settings
    }

    private static func proxies(
        of options: TransferOptions,
        _ environment: (String) -> String?
    ) throws(InvalidOption) -> (clear: PreparedProxy, secure: PreparedProxy) {
        let clear: ProxyServer?
        let secure: ProxyServer?
        let exceptions: [String]
        switch options.proxy {
        case .none:
            (clear, secure, exceptions) = (nil, nil, [])
        case .server(let server, let hosts):
            (clear, secure, exceptions) = (server, server, hosts)
        case .servers(let http, let https, let hosts):
            (clear, secure, exceptions) = (http, https, hosts)
        case .environment:
            let found = try EnvironmentProxies(environment)
            (clear, secure, exceptions) = (found.clear, found.secure, found.exceptions)
        }
        func prepared(
            _ server: ProxyServer?,
            isSecure: Bool
        ) throws(InvalidOption) -> PreparedProxy {
            guard let server else { return PreparedProxy() }
            return try PreparedProxy(
                server,
                exceptions: exceptions,
                isSecure: isSecure,
                reportsTunnels: options.reportsTunnels
            )
        }
        return (try prepared(clear, isSecure: false), try prepared(secure, isSecure: true))
    }
}
