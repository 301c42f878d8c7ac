internal import Curl

/// Options that have been checked once and made ready to be set on many handles.
///
/// Only what differs from libcurl's defaults is set, because it is set for each transfer. A plain
/// `http` transfer takes 10 options from here and a plain `https` transfer 13. What each transfer
/// needs, and who sets it:
///
/// | libcurl's option | its default | here |
/// |---|---|---|
/// | `NOSIGNAL` | 0 | 1, always: signals belong to the program |
/// | `QUICK_EXIT` | 0 | 1, always (libcurl 7.87): an abandoned name look-up blocks nobody |
/// | `PROTOCOLS_STR` | all | the request's scheme, always |
/// | `REDIR_PROTOCOLS_STR` | http, https, ftp, ftps | the request's scheme, always; redirects aren't libcurl's to follow |
/// | `PATH_AS_IS` | 0 | 1, always: the path is sent as it was given |
/// | `PROXY`, `NOPROXY` | the environment's | always, so that the environment is never looked at |
/// | `TCP_KEEPALIVE` | 0 | 1, unless ``TransferOptions/tcpKeepAlive`` is nil |
/// | `TCP_KEEPIDLE`, `TCP_KEEPINTVL` | 60 s | where they differ |
/// | `TCP_NODELAY` | 1 | where it is switched off |
/// | `ACCEPT_ENCODING` | none | all codings, unless ``TransferOptions/decodesContent`` is false |
/// | `USERAGENT` | none | ``TransferOptions/userAgent`` where there is a proxy or an AWS signature; else it is one of the fields |
/// | `HTTP_VERSION` | 2TLS | always; for `http` 1.1, unless with prior knowledge |
/// | `CAINFO`, `CAPATH` | as built | for `https`: one set, the other cleared, so that the parsed file is kept |
/// | `SSLVERSION` | the TLS library's | for `https` |
/// | `SSL_VERIFYPEER`, `SSL_VERIFYHOST` | 1, 2 | where they are switched off |
/// | other TLS options | none | for `https`, where they were given |
/// | `PROXY_…` of TLS | as those without `PROXY_` | where the proxy's kind is `https`: both of `CAINFO` and `CAPATH`, and the version |
/// | `SUPPRESS_CONNECT_HEADERS` | 0 | 1 with an HTTP proxy, unless ``TransferOptions/reportsTunnels`` is set: its heads aren't the server's |
/// | `SOCKS5_AUTH` | Basic and GSS-API | Basic with a SOCKS5 proxy: GSS-API blocks |
/// | `CONNECTTIMEOUT_MS` | 300 s | where the limit is longer than 295 s, or there is none |
/// | `TIMEOUT_MS` | none | 5 s after ``Timeouts/total``, where there is one |
/// | `PIPEWAIT` | 0 | 1 where the event loop says so: `https` that may be HTTP/2 |
/// | `HTTPAUTH`, `USERNAME`, `PASSWORD`, … | Basic, none | where credentials may be sent to this origin |
/// | `FOLLOWLOCATION` | 0 | not set: redirects are decided hop by hop |
/// | `NOPROGRESS` | 1 | not set |
/// | `HTTP09_ALLOWED` | 0 since 7.66 | not set |
/// | `NETRC` | ignored | not set |
/// | `COOKIEFILE`, `HSTS`, `ALTSVC` | off | not set: they'd be state behind the request's back |
/// | `UNRESTRICTED_AUTH` | 0 | not set |
/// | `DEFAULT_PROTOCOL` | guessed | not set: a URL without a scheme doesn't get this far |
/// | `HEADEROPT` | separate since 7.42 | not set |
/// | `SSL_OPTIONS` | none | not set: they loosen things for servers of the past |
/// | `SSL_ENABLE_ALPN`, `SSL_SESSIONID_CACHE` | 1 | not set |
/// | `BUFFERSIZE` | 16 KiB | ``TransferOptions/receiveBufferSize``; else more where few transfers run |
/// | `SHARE`, `DNS_CACHE_TIMEOUT`, `MAXAGE_CONN`, `MAXLIFETIME_CONN` | | the event loop's |
/// | `PRIVATE`, `ERRORBUFFER`, all callbacks | | set when a handle is made |
/// | URL, method, header list, body, `Expect` | | the request's |
///
/// Making one reads and checks files and the environment: it may block, and belongs on no event
/// loop. It is used from any thread. See <https://curl.se/libcurl/c/curl_easy_setopt.html>.
public final class PreparedOptions: Sendable {
    /// What this was made from.
    public let options: TransferOptions

    /// The token that goes with an AWS signature; the header list has it as the field
    /// `X-Amz-Security-Token` wherever credentials are sent.
    let securityToken: String?

    /// Entries of `CURLOPT_RESOLVE` and `CURLOPT_CONNECT_TO`.
    let resolve: [String]
    let connectTo: [String]

    /// By scheme.
    private let clear: PreparedRoute
    private let secure: PreparedRoute

    /// For an origin that may have the credentials.
    let credentials: [EasySetting]

    // What each transfer asks for, told once.

    /// The fields that the options add where a request has none of that name, as lines; nil where
    /// they add none, or where libcurl does.
    let userAgentField: String?
    let acceptEncodingField: String?

    /// Tells routes apart that don't share connections: a proxy, a unix socket.
    let route: String

    /// Whether a handle can serve one transfer after the other, told no more than the path and the
    /// fields of each.
    let allowsPlainHandles: Bool

    /// Whether libcurl may answer a 401 or 407 by itself, with another request.
    let answersChallenges: Bool

    /// Whether an `https` transfer may become an HTTP/2 stream.
    let offersHTTP2: Bool

    let limits: TimeLimits

    /// What libcurl reads at once; nil where the event loop chooses.
    let receiveBufferSize: Int?
    let decodesContent: Bool

    /// The files that settings name, which are removed with the last options that name them.
    private let trustFiles: [PrivateFile]

    /// Checks `options`, and reads the files and environment variables that they name.
    ///
    /// - Throws: ``TransportError/Code/configuration`` for what can't be honoured, and
    ///   ``TransportError/Code/unsupportedFeature`` for what the installed libcurl lacks.
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
        let authentication = try PreparedCredentials(options.authentication)
        credentials = authentication.settings
        securityToken = authentication.securityToken
        userAgentField =
            options.listsOwnFields ? options.userAgent.map { "User-Agent: \($0)" } : nil
        let codings = CurlVersion.current.contentCodings
        acceptEncodingField =
            options.listsOwnFields && options.decodesContent && !codings.isEmpty
            ? "Accept-Encoding: \(codings)" : nil
        route = options.route
        answersChallenges = options.answersChallenges
        allowsPlainHandles =
            options.allowsPlainHandles && connection.resolve.isEmpty
        offersHTTP2 = options.offersHTTP2
        limits = TimeLimits(options.timeouts)
        receiveBufferSize = options.receiveBufferSize
        decodesContent = options.decodesContent
        resolve = connection.resolve
        connectTo = connection.connectTo
        let common = http.settings + connection.settings
        clear = PreparedRoute(
            settings: Self.always(for: "http") + common + http.clear + proxies.clear.settings,
            proxyHeaders: proxies.clear.headers,
            usesProxy: proxies.clear.isUsed,
            reportsTunnels: proxies.clear.reportsTunnels
        )
        secure = PreparedRoute(
            settings: Self.always(for: "https") + common + http.secure + tls.settings
                + proxies.secure.settings,
            proxyHeaders: proxies.secure.headers,
            usesProxy: proxies.secure.isUsed,
            reportsTunnels: proxies.secure.reportsTunnels
        )
        trustFiles = [tls.trustFile, proxies.clear.trustFile, proxies.secure.trustFile]
            .compactMap(\.self)
    }

    /// What is set for `https`, or for `http`.
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

    /// Whether transfers of a scheme go through a proxy, be it with exceptions.
    func usesProxy(isSecure: Bool) -> Bool {
        isSecure ? secure.usesProxy : clear.usesProxy
    }

    /// Whether the heads of a scheme's tunnels are the delegate's to see.
    func reportsTunnels(isSecure: Bool) -> Bool {
        isSecure ? secure.reportsTunnels : clear.reportsTunnels
    }

    private static func always(for scheme: String) -> [EasySetting] {
        var settings: [EasySetting] = [
            .flag(.noSignal, true),
            .text(.protocols, scheme),
            .text(.redirectProtocols, scheme),
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
