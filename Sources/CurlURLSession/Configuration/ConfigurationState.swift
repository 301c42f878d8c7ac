internal import CurlTransport
internal import Foundation

/// The values of a `URLSessionConfiguration`. Initially Apple's defaults, without storages.
struct ConfigurationState: Sendable {
    var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var timeouts = SessionTimeouts()
    var maximumQueuedTransfers: Int?
    var connections = SessionConnections()
    var waitsForConnectivity = false
    var unused = UnusedOptions()

    var connectionProxies: [String: PlainValue]?
    var usesEnvironmentProxies = false
    var keepsFailedDownloads = true
    var allowsResumableUploads = true
    var addsFormContentType = true
    var decompressionLimit: DecompressionLimit? = DecompressionLimit()
    var tls = TLSConfiguration()
    var httpVersion = HTTPVersionPolicy.automatic
    var transferObservers: [any TransferObserver] = []

    var httpShouldSetCookies = true
    var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var httpAdditionalHeaders: [String: PlainValue]?
    var httpMaximumConnectionsPerHost = 6

    var storages = SessionStorages()
    var protocolClasses: ProtocolClasses? = ProtocolClasses(classes: [])

    /// The defaults, with the storages that the process shares.
    static var shared: ConfigurationState {
        var state = ConfigurationState()
        state.storages.cookies = HTTPCookieStorage.shared
        state.storages.credentials = URLCredentialStorage.shared
        state.storages.cache = URLCache.shared
        return state
    }

    /// The defaults, with separate storages in memory.
    static var ephemeral: ConfigurationState {
        var state = ConfigurationState()
        state.storages.cookies = HTTPCookieStorage.ephemeral()
        state.storages.credentials = URLCredentialStorage()
        state.storages.cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        return state
    }
}

/// The timeouts of a session, in seconds.
struct SessionTimeouts: Sendable {
    var request: TimeInterval = 60
    /// 7 days.
    var resource: TimeInterval = 604_800
    var connection: TimeInterval?
    var queue: TimeInterval?
}

/// The storages of a session; `nil` for none.
struct SessionStorages: Sendable {
    var cookies: HTTPCookieStorage?
    var credentials: URLCredentialStorage?
    var cache: URLCache?
}

/// Options that are kept without effect.
struct UnusedOptions: Sendable {
    var identifier: String?
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var isDiscretionary = false
    var shouldUseExtendedBackgroundIdleMode = false
    var httpShouldUsePipelining = false
}
