public import Foundation

/// A request as an object that can be changed, by one thread at a time. See ``URLRequest``, which is
/// the same as a value, for every property.
open class NSMutableURLRequest: NSURLRequest {
    /// Creates a request with the protocol's cache policy and a time limit of 60 seconds.
    public convenience init(url: URL) {
        self.init(
            url: url,
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
    }

    /// Creates a request for `url`, made absolute. `timeoutInterval` is in seconds.
    public override init(
        url: URL,
        cachePolicy: NSURLRequest.CachePolicy,
        timeoutInterval: TimeInterval
    ) {
        super.init(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
    }

    /// Reads a request from an archive; `nil` if the coder has no keys.
    public required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    /// A mutable request with the same properties. ``URLRequest`` is what doesn't change.
    open override func copy(with zone: NSZone? = nil) -> Any {
        mutableCopy(with: zone)
    }

    /// The URL that is requested.
    open override var url: URL? {
        get { super.url }
        set { state.url = newValue }
    }

    /// The URL of the document that the request is made for.
    open override var mainDocumentURL: URL? {
        get { super.mainDocumentURL }
        set { state.mainDocumentURL = newValue }
    }

    /// How the request uses what is cached.
    open override var cachePolicy: NSURLRequest.CachePolicy {
        get { super.cachePolicy }
        set { state.cachePolicy = newValue }
    }

    /// The time limit in seconds.
    open override var timeoutInterval: TimeInterval {
        get { super.timeoutInterval }
        set { state.timeout.seconds = newValue }
    }

    /// What the request's traffic is for.
    open override var networkServiceType: NSURLRequest.NetworkServiceType {
        get { super.networkServiceType }
        set { state.networkServiceType = newValue }
    }

    /// Whether the request may go over a cellular network.
    open override var allowsCellularAccess: Bool {
        get { super.allowsCellularAccess }
        set { state.allowsCellularAccess = newValue }
    }

    /// Whether the request may go over a network that costs much.
    open override var allowsExpensiveNetworkAccess: Bool {
        get { super.allowsExpensiveNetworkAccess }
        set { state.allowsExpensiveNetworkAccess = newValue }
    }

    /// Whether the request may go over a network that is to be used sparingly.
    open override var allowsConstrainedNetworkAccess: Bool {
        get { super.allowsConstrainedNetworkAccess }
        set { state.allowsConstrainedNetworkAccess = newValue }
    }

    /// Whether the server is taken to speak HTTP/3.
    open override var assumesHTTP3Capable: Bool {
        get { super.assumesHTTP3Capable }
        set { state.assumesHTTP3Capable = newValue }
    }

    /// The method; `nil` sets `GET`.
    open override var httpMethod: String? {
        get { super.httpMethod }
        set { state.setMethod(newValue) }
    }

    /// The header fields, whose names stay spelled as they are given here.
    open override var allHTTPHeaderFields: [String: String]? {
        get { super.allHTTPHeaderFields }
        set { state.allHTTPHeaderFields = newValue }
    }

    /// Sets a field's value, or removes the field with `nil`.
    open func setValue(_ value: String?, forHTTPHeaderField field: String) {
        state.setValue(value, forHTTPHeaderField: field)
    }

    /// Appends to a field's value, after a comma.
    open func addValue(_ value: String, forHTTPHeaderField field: String) {
        state.addValue(value, forHTTPHeaderField: field)
    }

    /// The body, in memory. Setting it drops a body stream.
    open override var httpBody: Data? {
        get { super.httpBody }
        set { state.body.data = newValue }
    }

    /// The stream that the body is read from. Setting it drops a body in memory.
    open override var httpBodyStream: InputStream? {
        get { super.httpBodyStream }
        set { state.bodyStream = newValue }
    }

    /// Whether cookies are sent and stored.
    open override var httpShouldHandleCookies: Bool {
        get { super.httpShouldHandleCookies }
        set { state.httpShouldHandleCookies = newValue }
    }

    /// Whether the request may be sent before the response to another one has come.
    open override var httpShouldUsePipelining: Bool {
        get { super.httpShouldUsePipelining }
        set { state.httpShouldUsePipelining = newValue }
    }
}
