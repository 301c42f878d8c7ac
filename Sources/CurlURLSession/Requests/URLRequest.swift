public import Foundation

/// A request: what is asked for, of whom, and how.
///
/// A value: a copy that was changed leaves the others as they were. Nothing is checked before it is
/// sent: a task whose request has no URL, or a header value with a line break in it, fails with an
/// error and sends nothing.
public struct URLRequest: Sendable {
    /// How a request uses what is cached.
    public typealias CachePolicy = NSURLRequest.CachePolicy

    /// What a request's traffic is for.
    public typealias NetworkServiceType = NSURLRequest.NetworkServiceType

    var state: RequestState

    /// Creates a `GET` request.
    ///
    /// - Parameters:
    ///   - url: What is requested. A relative URL is made absolute.
    ///   - cachePolicy: How the request uses what is cached; by default as its protocol says.
    ///   - timeoutInterval: The time limit in seconds; see ``timeoutInterval``. 60 seconds here mean
    ///     that the session's limit decides.
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60.0
    ) {
        state = RequestState(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
    }

    init(state: RequestState) {
        self.state = state
    }

    /// What is requested. A relative URL is made absolute. Without a URL a request can't be sent.
    public var url: URL? {
        get { state.url }
        set { state.url = newValue }
    }

    /// How the request uses what is cached. `useProtocolCachePolicy` unless set.
    public var cachePolicy: CachePolicy {
        get { state.cachePolicy }
        set { state.cachePolicy = newValue }
    }

    /// For how many seconds nothing may arrive or leave before the request fails. 60 unless set.
    ///
    /// A limit that was set here, be it 60, goes before that of the session's configuration.
    public var timeoutInterval: TimeInterval {
        get { state.timeout.seconds }
        set { state.timeout.seconds = newValue }
    }

    /// The URL of the document that the request is made for, which says whether a cookie is a third
    /// party's. `nil` unless set.
    public var mainDocumentURL: URL? {
        get { state.mainDocumentURL }
        set { state.mainDocumentURL = newValue }
    }

    /// What the request's traffic is for. `default` unless set.
    public var networkServiceType: NetworkServiceType {
        get { state.networkServiceType }
        set { state.networkServiceType = newValue }
    }

    /// Whether the request may go over a cellular network. `true` unless set.
    public var allowsCellularAccess: Bool {
        get { state.allowsCellularAccess }
        set { state.allowsCellularAccess = newValue }
    }

    /// Whether the request may go over a network that costs much. `true` unless set.
    public var allowsExpensiveNetworkAccess: Bool {
        get { state.allowsExpensiveNetworkAccess }
        set { state.allowsExpensiveNetworkAccess = newValue }
    }

    /// Whether the request may go over a network that is to be used sparingly. `true` unless set.
    public var allowsConstrainedNetworkAccess: Bool {
        get { state.allowsConstrainedNetworkAccess }
        set { state.allowsConstrainedNetworkAccess = newValue }
    }

    /// Whether the server is taken to speak HTTP/3 before it has said so. `false` unless set.
    public var assumesHTTP3Capable: Bool {
        get { state.assumesHTTP3Capable }
        set { state.assumesHTTP3Capable = newValue }
    }

    /// The method. `GET` unless set, and after `nil` was set.
    ///
    /// `GET`, `HEAD`, `POST`, `PUT`, `DELETE` and `CONNECT` are written in capitals however they are
    /// given. Every other method stays as it is: methods are case-sensitive (RFC 9110, 9.1).
    public var httpMethod: String? {
        get { state.method }
        set { state.setMethod(newValue) }
    }

    /// The header fields; `nil` if none was ever set.
    ///
    /// Names stay spelled as they are given here, so that two may differ in case alone; both are
    /// sent, and ``value(forHTTPHeaderField:)`` finds the one that sorts first.
    public var allHTTPHeaderFields: [String: String]? {
        get { state.allHTTPHeaderFields }
        set { state.allHTTPHeaderFields = newValue }
    }

    /// The value of a header field; `nil` if the request has none. The case of letters in `field`
    /// doesn't matter.
    public func value(forHTTPHeaderField field: String) -> String? {
        state.value(forHTTPHeaderField: field)
    }

    /// Sets the value of a header field in the place of what it had, or removes it with `nil`.
    ///
    /// The case of letters in `field` doesn't matter. Its words are capitalized: `x-api-KEY` becomes
    /// `X-Api-Key`. A value with a line break or a NUL makes the request fail before it is sent.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        state.setValue(value, forHTTPHeaderField: field)
    }

    /// Appends to the value of a header field, after a comma; sets it where there is none.
    ///
    /// The case of letters in `field` doesn't matter. A field that is there stays spelled as it is.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        state.addValue(value, forHTTPHeaderField: field)
    }

    /// The body, in memory. Setting it, to `nil` too, drops ``httpBodyStream``.
    public var httpBody: Data? {
        get { state.body.data }
        set { state.body.data = newValue }
    }

    /// The stream that the body is read from. Setting it, to `nil` too, drops ``httpBody``.
    ///
    /// Whoever sets a stream gives it up: it belongs to the task that sends the request, and copies
    /// of the request have the same one. It isn't archived.
    public var httpBodyStream: InputStream? {
        get { state.bodyStream }
        set { state.bodyStream = newValue }
    }

    /// Whether stored cookies are sent, and those of the response stored. `true` unless set.
    public var httpShouldHandleCookies: Bool {
        get { state.httpShouldHandleCookies }
        set { state.httpShouldHandleCookies = newValue }
    }

    /// Whether the request may be sent before the response to another one has come. `true` unless
    /// set. HTTP/2 does so anyway; over HTTP/1.1 nothing is sent ahead.
    public var httpShouldUsePipelining: Bool {
        get { state.httpShouldUsePipelining }
        set { state.httpShouldUsePipelining = newValue }
    }
}

extension URLRequest: Hashable {
    /// Whether all properties are equal, headers and body included. Body streams are equal if they
    /// are the same object.
    public static func == (lhs: URLRequest, rhs: URLRequest) -> Bool {
        lhs.state == rhs.state
    }

    /// Feeds all properties to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
    }
}
