internal import CurlTransport
internal import Foundation

/// What a session goes by: its configuration as it was when the session was made.
final class SessionSettings: Sendable {
    let requestCachePolicy: NSURLRequest.CachePolicy
    let timeoutIntervalForRequest: TimeInterval
    /// How long a task may take as a whole; nil for no limit. The task keeps it.
    let resourceLimit: Duration?
    let waitsForConnectivity: Bool
    let keepsFailedDownloads: Bool
    let allowsResumableUploads: Bool
    private let expansionLimit: ExpansionLimit?

    let httpShouldSetCookies: Bool
    let httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy
    let httpCookieStorage: HTTPCookieStorage?
    let urlCredentialStorage: URLCredentialStorage?
    let urlCache: URLCache?
    let protocols: ProtocolClasses

    /// The fields of `httpAdditionalHeaders`.
    let additionalFields: RequestHeaderFields
    let fieldNames = FieldNames()

    private let maximumConnectionsPerHost: Int
    private let hasConnectLimit: Bool
    /// What no request of the session changes; an error is every task's.
    private let base: Result<TransferOptions, TransportError>
    private let cache = OptionsCache()

    init(_ configuration: URLSessionConfiguration) {
        requestCachePolicy = configuration.requestCachePolicy
        timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
        resourceLimit = Duration(limit: configuration.timeoutIntervalForResource)
        waitsForConnectivity = configuration.waitsForConnectivity
        keepsFailedDownloads = configuration.keepsFailedDownloads
        allowsResumableUploads = configuration.allowsResumableUploads
        expansionLimit = configuration.expansionLimit
        httpShouldSetCookies = configuration.httpShouldSetCookies
        httpCookieAcceptPolicy = configuration.httpCookieAcceptPolicy
        httpCookieStorage = configuration.httpCookieStorage
        urlCredentialStorage = configuration.urlCredentialStorage
        urlCache = configuration.urlCache
        protocols = ProtocolClasses(classes: configuration.protocolClasses ?? [])
        let headers = PlainValue.table(configuration.httpAdditionalHeaders ?? [:])
        additionalFields = RequestHeaderFields(headers.mapValues(\.fieldValue))
        maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
        hasConnectLimit = configuration.timeoutIntervalForConnection != nil
        base = Result { () throws(TransportError) in try SessionSettings.options(of: configuration)
        }
    }

    private static func options(
        of configuration: URLSessionConfiguration
    ) throws(TransportError) -> TransferOptions {
        var options = TransferOptions()
        options.tls = configuration.tlsConfiguration
        options.tls.evaluatesServerTrust = false
        options.httpVersion = configuration.httpVersion
        options.redirects = .refuse
        options.reportsTunnels = true
        options.timeouts = Timeouts(connect: nil, idle: nil)
        if let limit = configuration.timeoutIntervalForConnection {
            options.timeouts.connect = Duration(limit: limit)
        }
        if let dictionary = configuration.connectionProxyDictionary {
            options.proxy = try ProxyDictionary(PlainValue.table(dictionary)).policy()
        } else if configuration.usesEnvironmentProxies {
            options.proxy = .environment
        }
        return options
    }
}

extension SessionSettings {
    /// How the session's transport is set up.
    func transportConfiguration() -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost =
            maximumConnectionsPerHost < 1 ? nil : maximumConnectionsPerHost
        return configuration
    }
}

// MARK: Requests

extension SessionSettings {
    /// The options of a request: shared by all that are alike, so that asking costs next to nothing.
    /// The first time, files may be read.
    ///
    /// - Parameters:
    ///   - evaluatesServerTrust: Whether the delegate is asked about servers' certificates.
    ///   - collectsContent: Whether the content is kept in memory.
    /// - Throws: A configuration error for a property that can't be honoured.
    func options(
        for request: URLRequest,
        evaluatesServerTrust: Bool = false,
        collectsContent: Bool = false
    ) throws(TransportError) -> PreparedOptions {
        let key = self.key(for: request, evaluatesServerTrust, collectsContent)
        return try cache.options(for: key) { () throws(TransportError) in
            try PreparedOptions(transferOptions(key))
        }
    }

    /// The options of a request, to be changed before they are prepared: by credentials, a deadline.
    func transferOptions(
        for request: URLRequest,
        evaluatesServerTrust: Bool = false,
        collectsContent: Bool = false
    ) throws(TransportError) -> TransferOptions {
        try transferOptions(key(for: request, evaluatesServerTrust, collectsContent))
    }

    /// For how long nothing may happen before a request fails; nil for no limit.
    func idleLimit(for request: URLRequest) -> Duration? {
        let timeout = request.state.timeout
        return Duration(limit: timeout.isChosen ? timeout.seconds : timeoutIntervalForRequest)
    }

    private func key(
        for request: URLRequest,
        _ evaluatesServerTrust: Bool,
        _ collectsContent: Bool
    ) -> OptionsCache.Key {
        let asksForHTTP3 =
            HTTPVersionPolicy.offersHTTP3 && request.assumesHTTP3Capable
            && request.url?.scheme?.lowercased() == "https"
        return OptionsCache.Key(
            idleLimit: idleLimit(for: request),
            asksForHTTP3: asksForHTTP3,
            evaluatesServerTrust: evaluatesServerTrust,
            collectsContent: collectsContent && expansionLimit != nil
        )
    }

    private func transferOptions(
        _ key: OptionsCache.Key
    ) throws(TransportError) -> TransferOptions {
        var options = try base.get()
        options.timeouts.idle = key.idleLimit
        if !hasConnectLimit { options.timeouts.connect = key.idleLimit }
        if key.asksForHTTP3 { options.httpVersion = .http3 }
        options.tls.evaluatesServerTrust = key.evaluatesServerTrust
        if key.collectsContent { options.expansionLimit = expansionLimit }
        return options
    }

    /// The request's own header fields, and those of `httpAdditionalHeaders` that it has none of.
    /// Cookies aren't among them.
    func fields(for request: URLRequest) -> RequestHeaderFields {
        guard let own = request.state.headerFields else { return additionalFields }
        guard !additionalFields.lines.isEmpty else { return own }
        return own.completed(by: additionalFields)
    }

    /// How the request uses what is cached: as it says itself, or as the session does.
    func cachePolicy(for request: URLRequest) -> NSURLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy ? requestCachePolicy : request.cachePolicy
    }

    /// The HTTP proxy for a URL, which may be one of the exceptions; `nil` without one.
    func proxy(for url: URL) -> ProxyServer? {
        guard case .success(let options) = base, let policy = try? options.proxy.resolved(),
            let server = policy.server(isSecure: url.isSecure)
        else { return nil }
        return server.kind == .http || server.kind == .https ? server : nil
    }

    /// Whether a connection went to a proxy of `connectionProxyDictionary` and not to the server
    /// itself, as far as its other end tells: libcurl says so only since 8.7.
    func isProxied(_ metrics: TransferMetrics, url: URL?) -> Bool {
        let isSecure = url?.isSecure ?? false
        guard case .success(let options) = base,
            case .servers(let http, let https, _) = options.proxy,
            let proxy = isSecure ? https : http, metrics.remotePort == proxy.port
        else { return false }
        // A server on the same port is told from the proxy by its address alone.
        let port = url?.port ?? (isSecure ? 443 : 80)
        return port != proxy.port || metrics.remoteAddress == proxy.host
    }
}

extension URLSessionConfiguration {
    /// The configuration as it is now, for a session.
    func frozen() -> SessionSettings {
        SessionSettings(self)
    }
}
