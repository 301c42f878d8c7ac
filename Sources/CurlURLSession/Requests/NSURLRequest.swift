public import Foundation

/// An immutable request object.
///
/// ``URLRequest`` is the equivalent value type, which the API of this module uses. Each type has an
/// initializer that takes the other. Every property is described at ``URLRequest``.
open class NSURLRequest: NSObject, NSSecureCoding, NSCopying, NSMutableCopying {
    /// Only ``NSMutableURLRequest`` changes it.
    final var state: RequestState

    /// Creates a request with default cache policy and a timeout of 60 seconds.
    public convenience init(url: URL) {
        self.init(
            url: url,
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
    }

    /// Creates a request for `url`, made absolute. `timeoutInterval` is in seconds.
    public init(url: URL, cachePolicy: NSURLRequest.CachePolicy, timeoutInterval: TimeInterval) {
        state = RequestState(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
    }

    /// Creates a request with a given state.
    ///
    /// It isn't a designated initializer: subclasses in other modules couldn't inherit that, and so
    /// would lose `init(url:)`.
    convenience init(state: RequestState) {
        self.init(url: Self.anyURL)
        self.state = state
    }

    private static let anyURL = URL(fileURLWithPath: "/")

    /// Decodes a request; `nil` if the coder doesn't support keyed coding.
    ///
    /// Missing or unknown values get the defaults of a new request. The URL is optional.
    public required init?(coder aDecoder: NSCoder) {
        guard let state = RequestState(coder: aDecoder) else { return nil }
        self.state = state
    }

    /// Encodes everything except a body stream. Does nothing if the coder doesn't support keyed
    /// coding.
    open func encode(with aCoder: NSCoder) {
        state.encode(with: aCoder)
    }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Returns the immutable receiver, or a copy of a subclass's object.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the immutable receiver, or a copy of a subclass's object.
    open func copy(with zone: NSZone? = nil) -> Any {
        type(of: self) === NSURLRequest.self ? self : NSURLRequest(state: state)
    }

    /// Returns an ``NSMutableURLRequest`` with the same properties.
    open override func mutableCopy() -> Any {
        mutableCopy(with: nil)
    }

    /// Returns an ``NSMutableURLRequest`` with the same properties.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableURLRequest(state: state)
    }

    /// Whether `object` is a request with equal properties, header fields and body.
    ///
    /// Body streams are equal if they are the same object.
    open override func isEqual(_ object: Any?) -> Bool {
        switch object {
        case let other as NSURLRequest: other === self || other.state == state
        case let other as URLRequest: other.state == state
        default: false
        }
    }

    /// Equal for equal requests.
    open override var hash: Int { state.hashValue }

    /// The class, the address and the URL.
    open override var description: String {
        "\(super.description) { URL: \(state.url?.description ?? "(null)") }"
    }

    /// The requested URL.
    open var url: URL? { state.url }

    /// The URL of the document that the request belongs to.
    open var mainDocumentURL: URL? { state.mainDocumentURL }

    /// How the request uses the cache.
    open var cachePolicy: NSURLRequest.CachePolicy { state.cachePolicy }

    /// The timeout in seconds.
    open var timeoutInterval: TimeInterval { state.timeout.seconds }

    /// The purpose of the request's traffic.
    open var networkServiceType: NSURLRequest.NetworkServiceType { state.networkServiceType }

    /// Whether the request may use a cellular network.
    open var allowsCellularAccess: Bool { state.allowsCellularAccess }

    /// Whether the request may use an expensive network.
    open var allowsExpensiveNetworkAccess: Bool { state.allowsExpensiveNetworkAccess }

    /// Whether the request may use a network in low data mode.
    open var allowsConstrainedNetworkAccess: Bool { state.allowsConstrainedNetworkAccess }

    /// Whether the server is assumed to support HTTP/3.
    open var assumesHTTP3Capable: Bool { state.assumesHTTP3Capable }

    /// The method.
    open var httpMethod: String? { state.method }

    /// The header fields; `nil` if none was ever set.
    open var allHTTPHeaderFields: [String: String]? { state.allHTTPHeaderFields }

    /// The value of a header field. `field` is case-insensitive.
    open func value(forHTTPHeaderField field: String) -> String? {
        state.value(forHTTPHeaderField: field)
    }

    /// The body, if it is in memory.
    open var httpBody: Data? { state.body.data }

    /// The stream that the body is read from. `nil` for a body in memory.
    open var httpBodyStream: InputStream? { state.bodyStream }

    /// Whether cookies are sent and stored.
    open var httpShouldHandleCookies: Bool { state.httpShouldHandleCookies }

    /// Whether the request may be sent before another one's response arrives.
    open var httpShouldUsePipelining: Bool { state.httpShouldUsePipelining }
}

extension NSURLRequest {
    /// How a request uses the cache.
    public enum CachePolicy: UInt, Sendable {
        /// Follows the rules of the protocol, for HTTP those of RFC 9111. The default.
        case useProtocolCachePolicy
        /// Always loads from the origin, and ignores the local cache.
        case reloadIgnoringLocalCacheData
        /// Always loads from the origin. Caches on the way must not answer either.
        case reloadIgnoringLocalAndRemoteCacheData
        /// Uses a cached response of any age. Loads from the origin if there is none.
        case returnCacheDataElseLoad
        /// Uses a cached response of any age; fails if there is none. Sends nothing.
        case returnCacheDataDontLoad
        /// Uses a cached response if the origin confirms it. Otherwise loads from the origin.
        case reloadRevalidatingCacheData

        /// The older name of ``reloadIgnoringLocalCacheData``.
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }
}

extension NSURLRequest {
    /// The purpose of a request's traffic.
    public enum NetworkServiceType: UInt, Sendable {
        /// Ordinary traffic.
        case `default`
        /// The control traffic of voice over IP.
        case voip
        /// Video.
        case video
        /// Background traffic: no user waits for it.
        case background
        /// Voice.
        case voice
        /// Call signalling.
        case networkServiceTypeCallSignaling
    }
}
