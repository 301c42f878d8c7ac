public import Foundation

/// A mutable request object, for one thread at a time.
///
/// See ``URLRequest``, the equivalent value type, for every property.
open class NSMutableURLRequest: NSURLRequest {
    /// Creates a request with default cache policy and a timeout of 60 seconds.
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

    /// Decodes a request; `nil` if the coder doesn't support keyed coding.
    public required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    /// Returns a mutable request with the same properties. ``URLRequest`` is the immutable form.
    open override func copy(with zone: NSZone? = nil) -> Any {
        mutableCopy(with: zone)
    }

    /// The requested URL. A relative URL is kept with its base.
    open override var url: URL? {
        get { super.url }
        set { state.url = newValue }
    }

    /// The URL of the document that the request belongs to.
    open override var mainDocumentURL: URL? {
        get { super.mainDocumentURL }
        set { state.mainDocumentURL = newValue }
    }

    /// How the request uses the cache.
    open override var cachePolicy: NSURLRequest.CachePolicy {
        get { super.cachePolicy }
        set { state.cachePolicy = newValue }
    }

    /// The timeout in seconds.
    open override var timeoutInterval: TimeInterval {
        get { super.timeoutInterval }
        set { state.timeout.seconds = newValue }
    }

    /// The purpose of the request's traffic.
    open override var networkServiceType: NSURLRequest.NetworkServiceType {
        get { super.networkServiceType }
        set { state.networkServiceType = newValue }
    }

    /// Whether the request may use a cellular network.
    open override var allowsCellularAccess: Bool {
        get { super.allowsCellularAccess }
        set { state.allowsCellularAccess = newValue }
    }

    /// Whether the request may use an expensive network.
    open override var allowsExpensiveNetworkAccess: Bool {
        get { super.allowsExpensiveNetworkAccess }
        set { state.allowsExpensiveNetworkAccess = newValue }
    }

    /// Whether the request may use a network in low data mode.
    open override var allowsConstrainedNetworkAccess: Bool {
        get { super.allowsConstrainedNetworkAccess }
        set { state.allowsConstrainedNetworkAccess = newValue }
    }

    /// Whether the server is assumed to support HTTP/3.
    open override var assumesHTTP3Capable: Bool {
        get { super.assumesHTTP3Capable }
        set { state.assumesHTTP3Capable = newValue }
    }

    /// The method; `nil` sets `GET`.
    open override var httpMethod: String? {
        get { super.httpMethod }
        set { state.setMethod(newValue) }
    }

    /// The header fields. Names keep the spelling given here.
    open override var allHTTPHeaderFields: [String: String]? {
        get { super.allHTTPHeaderFields }
        set { state.allHTTPHeaderFields = newValue }
    }

    /// Sets a field's value, or removes the field with `nil`.
    ///
    /// A value with a NUL, or with a line break that doesn't fold the line, isn't set.
    open func setValue(_ value: String?, forHTTPHeaderField field: String) {
        state.setValue(value, forHTTPHeaderField: field)
    }

    /// Appends a value to a field, after a comma.
    ///
    /// A value with a NUL, or with a line break that doesn't fold the line, isn't appended.
    open func addValue(_ value: String, forHTTPHeaderField field: String) {
        state.addValue(value, forHTTPHeaderField: field)
    }

    /// The body, in memory. Setting it removes a body stream.
    open override var httpBody: Data? {
        get { super.httpBody }
        set { state.body.data = newValue }
    }

    /// The stream that the body is read from. Setting it removes a body in memory.
    open override var httpBodyStream: InputStream? {
        get { super.httpBodyStream }
        set { state.bodyStream = newValue }
    }

    /// Whether cookies are sent and stored.
    open override var httpShouldHandleCookies: Bool {
        get { super.httpShouldHandleCookies }
        set { state.httpShouldHandleCookies = newValue }
    }

    /// Whether the request may be sent before another one's response arrives.
    open override var httpShouldUsePipelining: Bool {
        get { super.httpShouldUsePipelining }
        set { state.httpShouldUsePipelining = newValue }
    }
}
