internal import CurlTransport
internal import Foundation
internal import Synchronization

/// The settings of a session: its configuration at the time of its creation.
final class SessionSettings: Sendable {
    let requestCachePolicy: NSURLRequest.CachePolicy
    let timeoutIntervalForRequest: TimeInterval
    /// The timeout of a task as a whole; `nil` for none. The task enforces it.
    let resourceLimit: Duration?
    let waitsForConnectivity: Bool
    let keepsFailedDownloads: Bool
    let allowsResumableUploads: Bool
    private let addsFormContentType: Bool
    private let decompressionLimit: DecompressionLimit?

    let httpShouldSetCookies: Bool
    let httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy
    let httpCookieStorage: HTTPCookieStorage?
    let urlCredentialStorage: URLCredentialStorage?
    let urlCache: URLCache?
    let protocols: ProtocolClasses

    /// The fields of `httpAdditionalHeaders`.
    let additionalFields: RequestHeaderFields
    let fieldNames = FieldNames()
    let transferObservers: [any TransferObserver]

    private let maximumConnectionsPerHost: Int
    private let maximumQueued: Int?
    private let connections: SessionConnections
    private let hasConnectLimit: Bool
    /// The options that all requests of the session share. An error fails every task.
    private let base: Result<TransferOptions, TransportError>
    private let cache = OptionsCache()

    init(_ configuration: URLSessionConfiguration) {
        requestCachePolicy = configuration.requestCachePolicy
        timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
        resourceLimit = Duration(limit: configuration.timeoutIntervalForResource)
        waitsForConnectivity = configuration.waitsForConnectivity
        keepsFailedDownloads = configuration.keepsFailedDownloads
        allowsResumableUploads = configuration.allowsResumableUploads
        addsFormContentType = configuration.addsFormContentType
        decompressionLimit = configuration.decompressionLimit
        httpShouldSetCookies = configuration.httpShouldSetCookies
        httpCookieAcceptPolicy = configuration.httpCookieAcceptPolicy
        httpCookieStorage = configuration.httpCookieStorage
        urlCredentialStorage = configuration.urlCredentialStorage
        urlCache = configuration.urlCache
        protocols = ProtocolClasses(classes: configuration.protocolClasses ?? [])
        let headers = PlainValue.table(configuration.httpAdditionalHeaders ?? [:])
        additionalFields = RequestHeaderFields(headers.mapValues(\.fieldValue))
        transferObservers = configuration.transferObservers
        maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
        maximumQueued = configuration.maximumQueuedTransfers
        connections = configuration.state.withLock { $0.connections }
        hasConnectLimit = configuration.timeoutIntervalForConnection != nil
        base = Result { () throws(TransportError) in try SessionSettings.options(of: configuration)
        }
    }

    private static func options(
        of configuration: URLSessionConfiguration
    ) throws(TransportError) -> TransferOptions {
        var options = TransferOptions()
        options.userAgent = AddedFields.userAgent
        options.tls = configuration.tlsConfiguration
        options.tls.evaluatesServerTrust = false
        options.tls.failsOnCertificateRequest = false
        options.httpVersion = configuration.httpVersion
        options.redirects = .refuse
        options.reportsTunnels = true
        options.timeouts = Timeouts(connect: nil, idle: nil)
        if let limit = configuration.timeoutIntervalForConnection {
            options.timeouts.connect = Duration(limit: limit)
        }
        options.timeouts.queue = configuration.timeoutIntervalInQueue
            .flatMap { Duration(limit: $0) }
        if let dictionary = configuration.connectionProxyDictionary {
            options.proxy = try ProxyDictionary(PlainValue.table(dictionary)).policy()
        } else if configuration.usesEnvironmentProxies {
            options.proxy = .environment
        }
        return options
    }
}

extension SessionSettings {
    /// The configuration of the session's transport.
    func transportConfiguration() -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost =
            maximumConnectionsPerHost < 1 ? nil : maximumConnectionsPerHost
        configuration.maximumQueued = maximumQueued
        connections.apply(to: &configuration)
        return configuration
    }
}

// MARK: Requests

extension SessionSettings {
    /// The options of a request, shared by all requests with equal options.
    ///
    /// Stored options cost almost nothing. The first call may read files.
    ///
    /// - Parameters:
    ///   - evaluatesServerTrust: Whether the delegate evaluates servers' certificates.
    ///   - certificateRequests: How to handle a server's request for a client certificate.
    ///   - collectsContent: Whether the body is collected in memory.
    /// - Throws: A configuration error for a property that can't be honoured.
    func options(
        for request: URLRequest,
        evaluatesServerTrust: Bool = false,
        certificateRequests: CertificateRequests = .ignored,
        collectsContent: Bool = false
    ) throws(TransportError) -> PreparedOptions {
        let key = self.key(for: request, evaluatesServerTrust, certificateRequests, collectsContent)
        return try cache.options(for: key) { () throws(TransportError) in
            try PreparedOptions(transferOptions(key))
        }
    }

    /// The options of a request, before they are prepared. The caller may add credentials or a
    /// deadline.
    func transferOptions(
        for request: URLRequest,
        evaluatesServerTrust: Bool = false,
        certificateRequests: CertificateRequests = .ignored,
        collectsContent: Bool = false
    ) throws(TransportError) -> TransferOptions {
        try transferOptions(
            key(for: request, evaluatesServerTrust, certificateRequests, collectsContent)
        )
    }

    /// The idle timeout of a request; `nil` for none.
    func idleLimit(for request: URLRequest) -> Duration? {
        let timeout = request.state.timeout
        return Duration(limit: timeout.isChosen ? timeout.seconds : timeoutIntervalForRequest)
    }

    private func key(
        for request: URLRequest,
        _ evaluatesServerTrust: Bool,
        _ certificateRequests: CertificateRequests,
        _ collectsContent: Bool
    ) -> OptionsCache.Key {
        let asksForHTTP3 =
            HTTPVersionPolicy.offersHTTP3 && request.assumesHTTP3Capable
            && request.url?.scheme?.lowercased() == "https"
        return OptionsCache.Key(
            idleLimit: idleLimit(for: request),
            asksForHTTP3: asksForHTTP3,
            evaluatesServerTrust: evaluatesServerTrust,
            certificateRequests: certificateRequests,
            collectsContent: collectsContent && decompressionLimit != nil
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
        options.tls.failsOnCertificateRequest = key.certificateRequests == .asked
        options.tls.declinesIdentity = key.certificateRequests == .declined
        if key.collectsContent { options.decompressionLimit = decompressionLimit }
        return options
    }

    /// The request's own header fields, completed by `httpAdditionalHeaders`. Cookies aren't
    /// included.
    func fields(for request: URLRequest) -> RequestHeaderFields {
        guard let own = request.state.headerFields else { return additionalFields }
        guard !additionalFields.lines.isEmpty else { return own }
        return own.completed(by: additionalFields)
    }

    /// The `Content-Type` that the session adds to a request; `nil` for none.
    ///
    /// - Parameters:
    ///   - fields: The fields that ``fields(for:)`` returns for the request.
    ///   - isStream: Whether the body is a stream.
    ///   - isUpload: Whether an upload task sends the request. Then the request's own data doesn't
    ///     count: the task sends something else.
    func addedContentType(
        for request: URLRequest,
        with fields: RequestHeaderFields,
        isStream: Bool,
        isUpload: Bool
    ) -> String? {
        guard addsFormContentType, request.state.method == "POST",
            isStream || (!isUpload && !(request.state.body.data ?? Data()).isEmpty),
            fields["Content-Type"] == nil
        else { return nil }
        return "application/x-www-form-urlencoded"
    }

    /// The cache policy of a request. If it is the default, the session's applies.
    func cachePolicy(for request: URLRequest) -> NSURLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy ? requestCachePolicy : request.cachePolicy
    }

    /// The HTTP proxy for a URL; `nil` if there is none. Exceptions aren't considered.
    func proxy(for url: URL) -> ProxyServer? {
        guard case .success(let options) = base, let policy = try? options.proxy.resolved(),
            let server = policy.server(isSecure: url.isSecure)
        else { return nil }
        return server.kind == .http || server.kind == .https ? server : nil
    }

    /// Whether a connection went to a proxy of `connectionProxyDictionary`.
    ///
    /// The result is derived from the remote port and address: libcurl reports it only since 8.7.
    func isProxied(_ metrics: TransferMetrics, url: URL?) -> Bool {
        let isSecure = url?.isSecure ?? false
        guard case .success(let options) = base,
            case .servers(let http, let https, _) = options.proxy,
            let proxy = isSecure ? https : http, metrics.remotePort == proxy.port
        else { return false }
        // If a server has the same port as the proxy, only the address distinguishes them.
        let port = url?.port ?? (isSecure ? 443 : 80)
        return port != proxy.port || metrics.remoteAddress == proxy.host
    }
}

extension URLSessionConfiguration {
    /// A snapshot of the configuration for a session.
    func frozen() -> SessionSettings {
        SessionSettings(self)
    }
}

/// How a load handles a server's request for a client certificate.
enum CertificateRequests: Sendable, Hashable {
    /// It continues without one, because there is no delegate to ask.
    case ignored
    /// It fails, so that the delegate can be asked.
    case asked
    /// It continues without one, because the delegate has decided so.
    case declined
}

/// A session's prepared options, shared by requests whose options are equal.
///
/// Nearly all requests of a session are alike, so the options of the first request are checked
/// first.
final class OptionsCache: Sendable {
    /// The properties in which the options of requests differ.
    struct Key: Sendable, Hashable {
        var idleLimit: Duration?
        var asksForHTTP3 = false
        var evaluatesServerTrust = false
        var certificateRequests = CertificateRequests.ignored
        var collectsContent = false
    }

    /// The most options besides the first. No program needs more on purpose; when exceeded, they
    /// are removed.
    static let limit = 64

    private struct State: Sendable {
        var firstKey: Key?
        var first: PreparedOptions?
        var others: [Key: PreparedOptions] = [:]
    }

    private let state = Mutex<State>(State())

    /// The options for `key`, which `make` creates if there are none.
    ///
    /// `make` may block, so it is called without the lock. Concurrent callers may each create
    /// options, of which one is kept.
    func options(
        for key: Key,
        make: () throws(TransportError) -> PreparedOptions
    ) throws(TransportError) -> PreparedOptions {
        if let kept = known(key) { return kept }
        let made = try make()
        return state.withLock { state in
            guard let first = state.firstKey else {
                state.firstKey = key
                state.first = made
                return made
            }
            if first == key, let kept = state.first { return kept }
            if let kept = state.others[key] { return kept }
            if state.others.count >= Self.limit { state.others.removeAll() }
            state.others[key] = made
            return made
        }
    }

    /// The number of stored options.
    var count: Int {
        state.withLock { ($0.first == nil ? 0 : 1) + $0.others.count }
    }

    private func known(_ key: Key) -> PreparedOptions? {
        state.withLock { $0.firstKey == key ? $0.first : $0.others[key] }
    }
}
