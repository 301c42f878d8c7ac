public import Foundation

/// A request as an object that doesn't change. ``URLRequest`` is the same as a value, and what the
/// rest of this module takes; each has an initializer that takes the other.
///
/// Every property is described at ``URLRequest``.
open class NSURLRequest: NSObject, NSSecureCoding, NSCopying, NSMutableCopying {
    /// Changed by ``NSMutableURLRequest`` alone.
    final var state: RequestState

    /// Creates a request with the protocol's cache policy and a time limit of 60 seconds.
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

    /// No designated initializer, which subclasses elsewhere couldn't inherit, nor then `init(url:)`.
    convenience init(state: RequestState) {
        self.init(url: Self.anyURL)
        self.state = state
    }

    private static let anyURL = URL(fileURLWithPath: "/")

    /// Reads a request from an archive; `nil` if the coder has no keys. What an archive lacks, or has
    /// in a form that isn't known, is as in a new request. The URL is optional.
    public required init?(coder aDecoder: NSCoder) {
        guard let state = RequestState(coder: aDecoder) else { return nil }
        self.state = state
    }

    /// Writes everything but a body stream, which can't be written. A coder without keys gets nothing.
    open func encode(with aCoder: NSCoder) {
        state.encode(with: aCoder)
    }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// The receiver, which doesn't change, or a copy of a subclass's object.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver, which doesn't change, or a copy of a subclass's object.
    open func copy(with zone: NSZone? = nil) -> Any {
        type(of: self) === NSURLRequest.self ? self : NSURLRequest(state: state)
    }

    /// An ``NSMutableURLRequest`` with the same properties.
    open override func mutableCopy() -> Any {
        mutableCopy(with: nil)
    }

    /// An ``NSMutableURLRequest`` with the same properties.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableURLRequest(state: state)
    }

    /// Whether `object` is a request with the same properties, headers and body included. Body
    /// streams are equal if they are the same object.
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

    /// The URL that is requested.
    open var url: URL? { state.url }

    /// The URL of the document that the request is made for.
    open var mainDocumentURL: URL? { state.mainDocumentURL }

    /// How the request uses what is cached.
    open var cachePolicy: NSURLRequest.CachePolicy { state.cachePolicy }

    /// The time limit in seconds.
    open var timeoutInterval: TimeInterval { state.timeout.seconds }

    /// What the request's traffic is for.
    open var networkServiceType: NSURLRequest.NetworkServiceType { state.networkServiceType }

    /// Whether the request may go over a cellular network.
    open var allowsCellularAccess: Bool { state.allowsCellularAccess }

    /// Whether the request may go over a network that costs much.
    open var allowsExpensiveNetworkAccess: Bool { state.allowsExpensiveNetworkAccess }

    /// Whether the request may go over a network that is to be used sparingly.
    open var allowsConstrainedNetworkAccess: Bool { state.allowsConstrainedNetworkAccess }

    /// Whether the server is taken to speak HTTP/3.
    open var assumesHTTP3Capable: Bool { state.assumesHTTP3Capable }

    /// The method.
    open var httpMethod: String? { state.method }

    /// The header fields; `nil` if none was ever set.
    open var allHTTPHeaderFields: [String: String]? { state.allHTTPHeaderFields }

    /// A field's value. The case of letters in `field` doesn't matter.
    open func value(forHTTPHeaderField field: String) -> String? {
        state.value(forHTTPHeaderField: field)
    }

    /// The body, where it is in memory.
    open var httpBody: Data? { state.body.data }

    /// The stream that the body is read from, where it isn't in memory.
    open var httpBodyStream: InputStream? { state.bodyStream }

    /// Whether cookies are sent and stored.
    open var httpShouldHandleCookies: Bool { state.httpShouldHandleCookies }

    /// Whether the request may be sent before the response to another one has come.
    open var httpShouldUsePipelining: Bool { state.httpShouldUsePipelining }
}
