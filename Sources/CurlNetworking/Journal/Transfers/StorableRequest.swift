internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// The parts of a request that are stored.
struct StorableRequest: Sendable, Hashable {
    let url: URL
    let method: String
    let fields: [String: String]
    /// The names of the header fields that aren't stored.
    let omitted: [String]
    let timeout: TimeInterval
    var traits = RequestTraits()
}

extension StorableRequest {
    /// Takes the stored parts of a request. Returns `nil` if its URL isn't `http` or `https`.
    init?(_ request: URLRequest, omitting names: Set<String>) {
        guard let url = request.url?.absoluteURL, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let plain = Self.withoutUser(url)
        else { return nil }
        let secret = Set(names.map { $0.lowercased() })
        let all = request.allHTTPHeaderFields ?? [:]
        self.url = plain
        method = request.httpMethod ?? "GET"
        let stored = all.filter { !SensitiveFields.contain($0.key, orIn: secret) }
        fields = stored
        omitted = all.keys.filter { stored[$0] == nil }.sorted()
        timeout = request.timeoutInterval
        traits = RequestTraits(request)
    }

    /// A URL without user name and password; `nil` if it can't be parsed.
    static func withoutUser(_ url: URL) -> URL? {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        (components.user, components.password) = (nil, nil)
        return components.url
    }

    /// The request, without the header fields that aren't stored.
    var urlRequest: URLRequest {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        for (name, value) in fields {
            request.setValue(value, forHTTPHeaderField: name)
        }
        traits.apply(to: &request)
        return request
    }
}

/// The stored properties of a request besides URL, method, header fields and timeout.
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

    /// The traits of a request with default values.
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
