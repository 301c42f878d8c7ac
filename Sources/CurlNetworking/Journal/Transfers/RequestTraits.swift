internal import CurlURLSession
internal import Foundation

/// What of a request is written down beside its URL, its method, its header fields and its time limit.
struct RequestTraits: Sendable, Hashable, Codable {
    private var cachePolicy: UInt = 0
    private var networkServiceType: UInt = 0
    private var mainDocumentURL: URL?
    private var allowsCellularAccess = true
    private var allowsExpensiveNetworkAccess = true
    private var allowsConstrainedNetworkAccess = true
    private var assumesHTTP3Capable = false
    private var handlesCookies = true
    private var usesPipelining = true

    /// Those of a request of which nothing was set.
    init() {}

    init(_ request: URLRequest) {
        cachePolicy = request.cachePolicy.rawValue
        networkServiceType = request.networkServiceType.rawValue
        mainDocumentURL = request.mainDocumentURL.flatMap { StorableRequest.withoutUser($0) }
        allowsCellularAccess = request.allowsCellularAccess
        allowsExpensiveNetworkAccess = request.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = request.allowsConstrainedNetworkAccess
        assumesHTTP3Capable = request.assumesHTTP3Capable
        handlesCookies = request.httpShouldHandleCookies
        usesPipelining = request.httpShouldUsePipelining
    }

    func apply(to request: inout URLRequest) {
        request.cachePolicy =
            URLRequest.CachePolicy(rawValue: cachePolicy) ?? .useProtocolCachePolicy
        request.networkServiceType =
            URLRequest.NetworkServiceType(rawValue: networkServiceType) ?? .default
        request.mainDocumentURL = mainDocumentURL
        request.allowsCellularAccess = allowsCellularAccess
        request.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        request.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        request.assumesHTTP3Capable = assumesHTTP3Capable
        request.httpShouldHandleCookies = handlesCookies
        request.httpShouldUsePipelining = usesPipelining
    }
}
