internal import CurlTransport
internal import Foundation

/// What a `URLSessionConfiguration` consists of. A new one has Apple's defaults, and no storages.
struct ConfigurationState: Sendable {
    var identifier: String?
    var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var timeoutIntervalForRequest: TimeInterval = 60
    /// 7 days.
    var timeoutIntervalForResource: TimeInterval = 604_800
    var timeoutIntervalForConnection: TimeInterval?
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var waitsForConnectivity = false
    var isDiscretionary = false
    var shouldUseExtendedBackgroundIdleMode = false

    var connectionProxies: [String: PlainValue]?
    var usesEnvironmentProxies = false
    var keepsFailedDownloads = true
    var allowsResumableUploads = true
    var expansionLimit: ExpansionLimit? = ExpansionLimit()
    var tls = TLSConfiguration()
    var httpVersion = HTTPVersionPolicy.automatic

    var httpShouldUsePipelining = false
    var httpShouldSetCookies = true
    var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var httpAdditionalHeaders: [String: PlainValue]?
    var httpMaximumConnectionsPerHost = 6

    var httpCookieStorage: HTTPCookieStorage?
    var urlCredentialStorage: URLCredentialStorage?
    var urlCache: URLCache?
    var protocolClasses: ProtocolClasses? = ProtocolClasses(classes: [])

    /// With the storages that everybody in the process shares.
    static var shared: ConfigurationState {
        var state = ConfigurationState()
        state.httpCookieStorage = HTTPCookieStorage.shared
        state.urlCredentialStorage = URLCredentialStorage.shared
        state.urlCache = URLCache.shared
        return state
    }

    /// With storages of its own, which are in memory alone.
    static var ephemeral: ConfigurationState {
        var state = ConfigurationState()
        state.httpCookieStorage = HTTPCookieStorage()
        state.urlCredentialStorage = URLCredentialStorage()
        state.urlCache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        return state
    }
}
