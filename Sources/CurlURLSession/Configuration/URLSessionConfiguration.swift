public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only stored property is a constant lock, which the compiler proves to
// be `Sendable` with all that it protects. The compiler can't prove that of an open class. A
// subclass is responsible for what it adds.
/// The options of a session: timeouts, limits, storages, proxies and TLS.
///
/// A session copies its configuration when it is created, so later changes don't affect it. A
/// configuration may be used from any thread.
///
/// Setting a property checks nothing. If a property can't be honoured, every task of the session
/// fails with an error that names it, before anything is sent.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
    let state = Mutex<ConfigurationState>(ConfigurationState())

    /// Creates a configuration like ``default``.
    public override init() {
        super.init()
        state.withLock { $0 = .shared }
    }

    init(state: ConfigurationState) {
        super.init()
        self.state.withLock { $0 = state }
    }

    /// A new configuration with the default values and the shared storages.
    ///
    /// The storages are `HTTPCookieStorage.shared`, `URLCredentialStorage.shared` and
    /// `URLCache.shared`.
    open class var `default`: URLSessionConfiguration {
        URLSessionConfiguration(state: .shared)
    }

    /// A new configuration with the default values and its own storages.
    ///
    /// The storages keep cookies, credentials and responses in memory, as long as the storages are
    /// referenced.
    open class var ephemeral: URLSessionConfiguration {
        URLSessionConfiguration(state: .ephemeral)
    }

    /// A copy, which shares the storages of the original.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// A copy, which shares the storages of the original.
    open func copy(with zone: NSZone?) -> Any {
        URLSessionConfiguration(state: state.withLock { $0 })
    }

    /// The name of a background session. It has no effect: background sessions aren't supported.
    open var identifier: String? {
        get { state.withLock { $0.unused.identifier } }
        set { state.withLock { $0.unused.identifier = newValue } }
    }

    /// The cache policy of requests without their own; `useProtocolCachePolicy` by default.
    open var requestCachePolicy: URLRequest.CachePolicy {
        get { state.withLock { $0.requestCachePolicy } }
        set { state.withLock { $0.requestCachePolicy = newValue } }
    }

    /// The idle timeout, in seconds; 60 by default.
    ///
    /// If nothing is sent or received for that long, the task fails with `URLError.timedOut`. A
    /// request's own timeout takes precedence. Fractions count. A value that isn't a positive
    /// number means no timeout.
    open var timeoutIntervalForRequest: TimeInterval {
        get { state.withLock { $0.timeouts.request } }
        set { state.withLock { $0.timeouts.request = newValue } }
    }

    /// The timeout of a whole task, in seconds; 604,800 by default.
    ///
    /// The default is 7 days. The time includes waiting and redirects. If it expires, the task
    /// fails with `URLError.timedOut`. Fractions count. A value that isn't a positive number means
    /// no timeout.
    open var timeoutIntervalForResource: TimeInterval {
        get { state.withLock { $0.timeouts.resource } }
        set { state.withLock { $0.timeouts.resource = newValue } }
    }

    /// The type of the session's traffic; `default` by default. It has no effect.
    open var networkServiceType: URLRequest.NetworkServiceType {
        get { state.withLock { $0.unused.networkServiceType } }
        set { state.withLock { $0.unused.networkServiceType = newValue } }
    }

    /// Whether tasks may use cellular networks; `true` by default.
    ///
    /// It has no effect: Linux doesn't distinguish such networks.
    open var allowsCellularAccess: Bool {
        get { state.withLock { $0.unused.allowsCellularAccess } }
        set { state.withLock { $0.unused.allowsCellularAccess = newValue } }
    }

    /// Whether background tasks may be deferred; `false` by default.
    ///
    /// It has no effect: background sessions aren't supported.
    open var isDiscretionary: Bool {
        get { state.withLock { $0.unused.isDiscretionary } }
        set { state.withLock { $0.unused.isDiscretionary = newValue } }
    }

    /// The container for background downloads. Always `nil`: background sessions aren't supported.
    open var sharedContainerIdentifier: String? { nil }

    /// Whether background programs keep their connections; `false` by default.
    ///
    /// It has no effect: no program is in the background on Linux.
    @available(*, deprecated, message: "No program is in the background on Linux.")
    open var shouldUseExtendedBackgroundIdleMode: Bool {
        get { state.withLock { $0.unused.shouldUseExtendedBackgroundIdleMode } }
        set { state.withLock { $0.unused.shouldUseExtendedBackgroundIdleMode = newValue } }
    }

    /// The session's proxies, under the keys of `CFNetwork`; `nil` by default.
    ///
    /// The keys have constants, such as ``kCFNetworkProxiesHTTPProxy``. An empty dictionary means
    /// no proxies. So does `nil`, unless ``usesEnvironmentProxies`` is set.
    ///
    /// | keys | values |
    /// |---|---|
    /// | `HTTPEnable`, `HTTPProxy`, `HTTPPort` | for `http`: 1 or 0, a host, a port (80) |
    /// | `HTTPSEnable`, `HTTPSProxy`, `HTTPSPort` | for `https`, by tunnel: 1 or 0, a host, a port (443) |
    /// | `SOCKSEnable`, `SOCKSProxy`, `SOCKSPort` | for schemes without one of the above (1080) |
    /// | `SOCKSVersion` | 4 or 5 (the default), or ``kCFStreamSocketSOCKSVersion4`` and `…5` |
    /// | `SOCKSUser`, `SOCKSPassword` | for the SOCKS proxy alone |
    /// | `kCFProxyUsernameKey`, `kCFProxyPasswordKey` | for all proxies |
    /// | `ExceptionsList` | hosts that are reached directly: `example.com` and `*.example.com`, which both mean the domain and its subdomains, an address, a network such as `169.254/16`, or `*` |
    ///
    /// SOCKS proxies resolve host names. Keys of unsupported protocols, such as `FTPProxy`, are
    /// ignored. Any other invalid entry, including an unknown key, makes every task fail with an
    /// error that names it, so that no request bypasses a proxy by mistake.
    ///
    /// The user name and password are sent with the first request, with Basic. If an HTTP proxy
    /// asks for others (407, RFC 9110, 15.5.8), the delegate gets a challenge, whose protection
    /// space says so: ``URLProtectionSpace/isProxy()``. If the delegate has no credential, the 407
    /// is the response of an `http` request, and an `https` request fails. WebSocket and stream
    /// tasks don't ask the delegate and fail: set their user name and password here.
    ///
    /// Numbers, strings and arrays are kept. Other values are replaced by their descriptions.
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { state.withLock { $0.connectionProxies }.map(PlainValue.dictionary) }
        set {
            let table = newValue.map(PlainValue.table)
            state.withLock { $0.connectionProxies = table }
        }
    }

    /// Whether HTTP/1.1 requests are pipelined; `false` by default.
    ///
    /// It has no effect: HTTP/2 requests are always concurrent, and HTTP/1.1 requests are never
    /// pipelined.
    @available(*, deprecated, message: "Requests are never pipelined; use HTTP/2 instead.")
    open var httpShouldUsePipelining: Bool {
        get { state.withLock { $0.unused.httpShouldUsePipelining } }
        set { state.withLock { $0.unused.httpShouldUsePipelining = newValue } }
    }

    /// Whether requests get cookies from ``httpCookieStorage``; `true` by default.
    open var httpShouldSetCookies: Bool {
        get { state.withLock { $0.httpShouldSetCookies } }
        set { state.withLock { $0.httpShouldSetCookies = newValue } }
    }

    /// Which cookies of responses are stored; `onlyFromMainDocumentDomain` by default.
    ///
    /// The default accepts cookies of responses from the site of the request's main document. A
    /// request without a main document is for a main document itself. The storage's own policy
    /// applies, too.
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.httpCookieAcceptPolicy } }
        set { state.withLock { $0.httpCookieAcceptPolicy = newValue } }
    }

    /// Header fields for all requests; `nil` by default.
    ///
    /// A request's own field of the same name takes precedence. Names and values are strings; other
    /// values are sent as their descriptions.
    ///
    /// Requests that have neither get a `User-Agent` with the program's name, and an
    /// `Accept-Language` with the language of the current locale.
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { state.withLock { $0.httpAdditionalHeaders }.map(PlainValue.dictionary) }
        set {
            let table = newValue.map(PlainValue.table)
            state.withLock { $0.httpAdditionalHeaders = table }
        }
    }

    /// The most connections to one host; 6 by default.
    ///
    /// Further tasks wait. A number less than 1 means no limit. Many requests share one connection
    /// to a host that supports HTTP/2.
    open var httpMaximumConnectionsPerHost: Int {
        get { state.withLock { $0.httpMaximumConnectionsPerHost } }
        set { state.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
    }

    /// The storage for cookies; `nil` for none.
    open var httpCookieStorage: HTTPCookieStorage? {
        get { state.withLock { $0.storages.cookies } }
        set { state.withLock { $0.storages.cookies = newValue } }
    }

    /// The storage for credentials; `nil` for none.
    open var urlCredentialStorage: URLCredentialStorage? {
        get { state.withLock { $0.storages.credentials } }
        set { state.withLock { $0.storages.credentials = newValue } }
    }

    /// The cache for responses; `nil` for none. Sessions may share one.
    ///
    /// ``requestCachePolicy``, or the request's own policy, decides which requests it answers.
    open var urlCache: URLCache? {
        get { state.withLock { $0.storages.cache } }
        set { state.withLock { $0.storages.cache = newValue } }
    }

    /// Subclasses of `URLProtocol` that may load requests; empty by default.
    ///
    /// The session asks them in this order, before it loads a request itself.
    open var protocolClasses: [AnyClass]? {
        get { state.withLock { $0.protocolClasses }?.classes }
        set {
            let classes = newValue.map { ProtocolClasses(classes: $0) }
            state.withLock { $0.protocolClasses = classes }
        }
    }
}
