public import Foundation
internal import Synchronization

/// How a session loads: its limits, its storages, its way to the servers.
///
/// A session takes a copy when it is created: a change afterwards changes nothing in it. A
/// configuration may be used from any thread.
///
/// Nothing is checked when a property is set: where one can't be honoured, every task of the session
/// fails with an error that names it, before anything is sent.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it. A class that others may inherit from can't say so
/// otherwise; whoever does answers for what he adds.
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

    /// A new configuration with the defaults, which uses `HTTPCookieStorage.shared`,
    /// `URLCredentialStorage.shared` and `URLCache.shared`.
    open class var `default`: URLSessionConfiguration {
        URLSessionConfiguration(state: .shared)
    }

    /// A new configuration with the defaults, and storages of its own, which keep cookies,
    /// credentials and responses in memory for as long as somebody holds them.
    open class var ephemeral: URLSessionConfiguration {
        URLSessionConfiguration(state: .ephemeral)
    }

    /// A configuration with the same properties, which shares the storages with this one.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// A configuration with the same properties, which shares the storages with this one.
    open func copy(with zone: NSZone?) -> Any {
        URLSessionConfiguration(state: state.withLock { $0 })
    }

    /// The name of a background session. There are none here, and it changes nothing.
    open var identifier: String? {
        get { state.withLock { $0.identifier } }
        set { state.withLock { $0.identifier = newValue } }
    }

    /// How requests use what is cached, where they don't say so themselves. By default as their
    /// protocol says.
    open var requestCachePolicy: URLRequest.CachePolicy {
        get { state.withLock { $0.requestCachePolicy } }
        set { state.withLock { $0.requestCachePolicy = newValue } }
    }

    /// For how many seconds nothing may arrive or leave before a task fails with
    /// `URLError.timedOut`, where its request has no limit of its own. 60 by default.
    ///
    /// Fractions count. Zero, and what is no number, is no limit.
    open var timeoutIntervalForRequest: TimeInterval {
        get { state.withLock { $0.timeoutIntervalForRequest } }
        set { state.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// How many seconds a task may take as a whole, its waiting and its redirects included, before it
    /// fails with `URLError.timedOut`. 604,800 by default: 7 days.
    ///
    /// Fractions count. Zero, and what is no number, is no limit.
    open var timeoutIntervalForResource: TimeInterval {
        get { state.withLock { $0.timeoutIntervalForResource } }
        set { state.withLock { $0.timeoutIntervalForResource = newValue } }
    }

    /// What the session's traffic is for. `default` by default. Nothing depends on it.
    open var networkServiceType: URLRequest.NetworkServiceType {
        get { state.withLock { $0.networkServiceType } }
        set { state.withLock { $0.networkServiceType = newValue } }
    }

    /// Whether tasks may use a cellular network; `true` by default. Nothing depends on it: Linux
    /// doesn't tell such networks from others.
    open var allowsCellularAccess: Bool {
        get { state.withLock { $0.allowsCellularAccess } }
        set { state.withLock { $0.allowsCellularAccess = newValue } }
    }

    /// Whether background tasks may be put off; `false` by default. Nothing depends on it: there are
    /// no background sessions.
    open var isDiscretionary: Bool {
        get { state.withLock { $0.isDiscretionary } }
        set { state.withLock { $0.isDiscretionary = newValue } }
    }

    /// Where background sessions keep downloads. Always `nil`: there are none.
    open var sharedContainerIdentifier: String? { nil }

    /// Whether connections are kept while a program is in the background; `false` by default. Nothing
    /// depends on it: on Linux no program is.
    open var shouldUseExtendedBackgroundIdleMode: Bool {
        get { state.withLock { $0.shouldUseExtendedBackgroundIdleMode } }
        set { state.withLock { $0.shouldUseExtendedBackgroundIdleMode = newValue } }
    }

    /// The proxies of the session, under the keys of `CFNetwork`, which have constants such as
    /// ``kCFNetworkProxiesHTTPProxy``; `nil`, the default, and an empty dictionary: none.
    ///
    /// | keys | values |
    /// |---|---|
    /// | `HTTPEnable`, `HTTPProxy`, `HTTPPort` | for `http`: 1 or 0, a host, a port (80) |
    /// | `HTTPSEnable`, `HTTPSProxy`, `HTTPSPort` | for `https`, by tunnel: 1 or 0, a host, a port (443) |
    /// | `SOCKSEnable`, `SOCKSProxy`, `SOCKSPort` | for schemes without one of the above (1080) |
    /// | `SOCKSVersion` | 4 or 5 (the default), or ``kCFStreamSocketSOCKSVersion4`` and `…5` |
    /// | `SOCKSUser`, `SOCKSPassword` | for the SOCKS proxy alone |
    /// | `kCFProxyUsernameKey`, `kCFProxyPasswordKey` | for all of them |
    /// | `ExceptionsList` | hosts that are reached directly: `example.com` and `*.example.com`, which both stand for the domain and all below it, an address, a network such as `169.254/16`, or `*` |
    ///
    /// SOCKS proxies resolve names themselves. Keys of protocols that aren't spoken here (`FTPProxy`
    /// and the like) are passed over. Whatever else can't be understood, be it an unknown key, makes
    /// every task fail with an error that names it: no request goes past a proxy by mistake.
    ///
    /// The user's name and password are sent with the first request, by Basic. An HTTP proxy that asks
    /// for others (407, RFC 9110, 15.5.8) is a challenge to the delegate, in a protection space that
    /// says so: ``URLProtectionSpace/isProxy()``. Without an answer, its 407 is the response of an
    /// `http` request, and an `https` request fails. Tasks of WebSockets and streams ask nobody, and fail:
    /// for these, the name and the password belong here.
    ///
    /// Numbers, strings and arrays are kept; of other values only their descriptions.
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { state.withLock { $0.connectionProxies }.map(PlainValue.dictionary) }
        set {
            let table = newValue.map(PlainValue.table)
            state.withLock { $0.connectionProxies = table }
        }
    }

    /// Whether requests may be sent before the response to another one has come; `false` by default.
    /// Nothing depends on it: HTTP/2 does so anyway, and over HTTP/1.1 nothing is sent ahead.
    open var httpShouldUsePipelining: Bool {
        get { state.withLock { $0.httpShouldUsePipelining } }
        set { state.withLock { $0.httpShouldUsePipelining = newValue } }
    }

    /// Whether requests get the cookies that ``httpCookieStorage`` has for them; `true` by default.
    open var httpShouldSetCookies: Bool {
        get { state.withLock { $0.httpShouldSetCookies } }
        set { state.withLock { $0.httpShouldSetCookies = newValue } }
    }

    /// Which cookies of responses are stored, as far as the storage's own policy has it, too.
    /// `onlyFromMainDocumentDomain` by default: those of responses from the site of the request's main
    /// document. A request without one is for a main document itself.
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.httpCookieAcceptPolicy } }
        set { state.withLock { $0.httpCookieAcceptPolicy = newValue } }
    }

    /// Header fields of all requests that have no field of that name themselves; `nil` by default.
    ///
    /// Names and values are strings. Of other values their descriptions are sent.
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { state.withLock { $0.httpAdditionalHeaders }.map(PlainValue.dictionary) }
        set {
            let table = newValue.map(PlainValue.table)
            state.withLock { $0.httpAdditionalHeaders = table }
        }
    }

    /// How many connections there are to one host at most; 6 by default. More tasks wait for their
    /// turn. Less than 1 is no limit.
    ///
    /// A host that speaks HTTP/2 gets many requests over one connection.
    open var httpMaximumConnectionsPerHost: Int {
        get { state.withLock { $0.httpMaximumConnectionsPerHost } }
        set { state.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
    }

    /// Where cookies are kept; `nil` for none.
    open var httpCookieStorage: HTTPCookieStorage? {
        get { state.withLock { $0.httpCookieStorage } }
        set { state.withLock { $0.httpCookieStorage = newValue } }
    }

    /// Where credentials are looked for; `nil` for nowhere.
    open var urlCredentialStorage: URLCredentialStorage? {
        get { state.withLock { $0.urlCredentialStorage } }
        set { state.withLock { $0.urlCredentialStorage = newValue } }
    }

    /// Where responses are kept, and looked for; `nil` for nowhere. Sessions may share one.
    ///
    /// Which requests it answers is for ``requestCachePolicy`` to say, or the request itself.
    open var urlCache: URLCache? {
        get { state.withLock { $0.urlCache } }
        set { state.withLock { $0.urlCache = newValue } }
    }

    /// Subclasses of `URLProtocol` that are asked, in this order and before anything else, whether
    /// they load a request. Empty by default.
    open var protocolClasses: [AnyClass]? {
        get { state.withLock { $0.protocolClasses }?.classes }
        set {
            let classes = newValue.map { ProtocolClasses(classes: $0) }
            state.withLock { $0.protocolClasses = classes }
        }
    }
}
