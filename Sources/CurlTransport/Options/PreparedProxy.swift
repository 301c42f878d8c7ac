internal import Curl
internal import HTTPSemantics
internal import Posix

/// A checked proxy policy as settings for libcurl, for one scheme.
struct PreparedProxy {
    private(set) var settings: [EasySetting] = []

    /// Lines of header fields that only the proxy receives.
    private(set) var headers: [String] = []

    /// Must exist as long as the settings, which name its path.
    private(set) var trustFile: MemoryFile?

    /// The files that the settings name and that may be replaced.
    private(set) var files: [TrackedFiles.File] = []

    /// Whether there is a proxy.
    let isUsed: Bool

    /// The port of a proxy that is connected to over TLS.
    private(set) var tlsPort: Int?

    /// Whether libcurl delivers the heads of the proxy's responses to CONNECT.
    private(set) var reportsTunnels = false

    /// Whether requests send whole URLs to the proxy: without a tunnel they do.
    private(set) var asksForURLs = false

    /// Creates settings for no proxy.
    ///
    /// Both options are set so that libcurl doesn't read the environment.
    init() {
        isUsed = false
        settings = [.text(.proxy, ""), .text(.noProxy, "")]
    }

    /// Checks `server`, for `https` or `http`. Blocks on the devices of its files.
    init(
        _ server: ProxyServer,
        exceptions: [String],
        isSecure: Bool,
        reportsTunnels: Bool = false
    ) throws(InvalidOption) {
        isUsed = true
        if server.kind == .https, !CurlVersion.current.supportsHTTPSProxy {
            throw InvalidOption("proxy.server.kind", missing: "HTTPS proxies")
        }
        let host = try OptionCheck.host(server.host, "proxy.server.host")
        try OptionCheck.port(server.port, "proxy.server.port")
        settings.append(.text(.proxy, "\(server.kind.rawValue)://\(host):\(server.port)"))
        settings.append(.text(.noProxy, try Self.list(exceptions)))
        try authenticate(server)
        if server.isHTTP {
            asksForURLs = !isSecure && !server.alwaysTunnels
            // Also for credentials that need several rounds: libcurl doesn't limit their number.
            self.reportsTunnels =
                (reportsTunnels || server.needsRounds) && (isSecure || server.alwaysTunnels)
            if !self.reportsTunnels { settings.append(.flag(.suppressConnectHeaders, true)) }
            if server.alwaysTunnels, !isSecure { settings.append(.flag(.httpProxyTunnel, true)) }
            for (index, header) in server.headers.enumerated() {
                headers.append(try Self.line(header, "proxy.server.headers[\(index)]"))
            }
        } else if !server.headers.isEmpty {
            throw InvalidOption("proxy.server.headers", "can't be sent to a SOCKS proxy")
        }
        if server.kind == .https {
            tlsPort = server.port
            let tls = try PreparedTLS(server.tls, names: .proxy, option: "proxy.server.tls")
            settings += tls.settings
            trustFile = tls.trustFile
            files = tls.files
        }
    }

    private mutating func authenticate(_ server: ProxyServer) throws(InvalidOption) {
        let kinds = server.authentication
        let option = "proxy.server.authentication"
        let version = CurlVersion.current
        if kinds.contains(.ntlm), !version.supportsNTLM {
            throw InvalidOption(option, missing: "NTLM")
        }
        if kinds.contains(.negotiate), !version.supportsNegotiate {
            throw InvalidOption(option, missing: "Negotiate")
        }
        let known: ProxyServer.AuthenticationKinds = [.basic, .digest, .negotiate, .ntlm]
        guard !kinds.isEmpty, kinds.isSubset(of: known) else {
            throw InvalidOption(
                option,
                "is empty or has unknown kinds; use .basic, .digest, .negotiate and .ntlm"
            )
        }
        if let credentials = server.credentials {
            let option = "proxy.server.credentials"
            try OptionCheck.text(credentials.user, "\(option).user")
            try OptionCheck.text(credentials.password, "\(option).password")
            try checkLength(credentials, server.kind)
            settings.append(.text(.proxyUserName, credentials.user))
            settings.append(.text(.proxyPassword, credentials.password))
        } else if kinds.contains(.negotiate) {
            // The Kerberos ticket identifies the user, but libcurl needs a user name, even an empty
            // one.
            settings.append(.text(.proxyUserName, ""))
            settings.append(.text(.proxyPassword, ""))
        }
        if kinds != .basic { settings.append(.number(.proxyAuth, kinds.rawValue)) }
        if server.kind == .socks5 || server.kind == .socks5h {
            // GSS-API, which libcurl allows by default, would block the event loop.
            settings.append(.number(.socks5Auth, EasyValue.Authentication.basic))
        }
    }

    /// RFC 1929 has one byte for each length.
    private func checkLength(
        _ credentials: Credentials,
        _ kind: ProxyServer.Kind
    ) throws(InvalidOption) {
        guard kind == .socks5 || kind == .socks5h else { return }
        guard credentials.user.utf8.count <= 255, credentials.password.utf8.count <= 255 else {
            throw InvalidOption(
                "proxy.server.credentials",
                "has a user or password of more than the 255 bytes that SOCKS5 can carry"
            )
        }
    }

    /// The exceptions as libcurl's list.
    ///
    /// libcurl interprets `*` only as the whole list, so it replaces the others.
    static func list(_ exceptions: [String]) throws(InvalidOption) -> String {
        var entries: [String] = []
        for (index, exception) in exceptions.enumerated() {
            let option = "proxy.server.exceptions[\(index)]"
            try OptionCheck.filledText(exception, option)
            guard !exception.utf8.contains(where: { $0 == 0x20 || $0 == UInt8(ascii: ",") }) else {
                throw InvalidOption(option, "has a space or comma; give one host for each entry")
            }
            if exception == "*" { return "*" }
            let isBracketed = exception.hasPrefix("[") && exception.hasSuffix("]")
            entries.append(isBracketed ? String(exception.dropFirst().dropLast()) : exception)
        }
        return entries.joined(separator: ",")
    }

    private static func line(
        _ header: ProxyHeader,
        _ option: String
    ) throws(InvalidOption) -> String {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenByte) else {
            throw InvalidOption(
                "\(option).name",
                "is no token of RFC 9110; use letters, digits and “-”"
            )
        }
        try OptionCheck.text(header.value, "\(option).value")
        // libcurl sends an empty field for "Name;". "Name:" would remove the field.
        return header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    }
}

extension ProxyServer {
    /// Whether the proxy speaks HTTP, not SOCKS.
    fileprivate var isHTTP: Bool { kind == .http || kind == .https }

    /// Whether libcurl may answer the proxy's challenges with several requests.
    fileprivate var needsRounds: Bool { authentication != .basic }
}

/// The settings of a handle for one of the two schemes.
struct PreparedRoute: Sendable {
    let settings: [EasySetting]

    /// Applied after the settings, which name the same files.
    let files: TrackedFiles?

    /// Lines of header fields that only the proxy receives.
    let proxyHeaders: [String]

    /// Whether transfers go through a proxy, except to excluded hosts.
    let usesProxy: Bool

    /// The port of this proxy if it is connected to over TLS.
    let tlsProxyPort: Int?

    /// Whether heads of the proxy's tunnel precede those of the server.
    let reportsTunnels: Bool
}
