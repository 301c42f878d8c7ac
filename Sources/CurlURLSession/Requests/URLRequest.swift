public import Foundation

/// A request: its URL, method, header fields, body and options.
///
/// It is a value type: changing a copy doesn't affect the others. Nothing but the values of
/// ``setValue(_:forHTTPHeaderField:)`` and ``addValue(_:forHTTPHeaderField:)`` is checked before
/// the request is sent. A task whose request has no URL, or a line break in a value of
/// ``allHTTPHeaderFields``, fails and sends nothing.
public struct URLRequest: Sendable {
    /// How a request uses the cache.
    public typealias CachePolicy = NSURLRequest.CachePolicy

    /// The purpose of a request's traffic.
    public typealias NetworkServiceType = NSURLRequest.NetworkServiceType

    var state: RequestState

    /// Creates a `GET` request.
    ///
    /// - Parameters:
    ///   - url: The requested URL. A relative URL is made absolute.
    ///   - cachePolicy: How the request uses the cache; by default as its protocol defines.
    ///   - timeoutInterval: The timeout in seconds; see ``timeoutInterval``. With 60 seconds, the
    ///     session's timeout applies.
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

    /// The requested URL. A request without a URL can't be sent.
    ///
    /// A relative URL that is set here is kept with its base. What is sent is the absolute URL.
    public var url: URL? {
        get { state.url }
        set { state.url = newValue }
    }

    /// How the request uses the cache. `useProtocolCachePolicy` by default.
    public var cachePolicy: CachePolicy {
        get { state.cachePolicy }
        set { state.cachePolicy = newValue }
    }

    /// The idle timeout in seconds. 60 by default.
    ///
    /// The request fails if no bytes arrive or leave for this long. A value set here, even 60,
    /// overrides the session configuration's timeout.
    public var timeoutInterval: TimeInterval {
        get { state.timeout.seconds }
        set { state.timeout.seconds = newValue }
    }

    /// The URL of the document that the request belongs to. `nil` by default.
    ///
    /// It decides whether a cookie is a third-party cookie.
    public var mainDocumentURL: URL? {
        get { state.mainDocumentURL }
        set { state.mainDocumentURL = newValue }
    }

    /// The purpose of the request's traffic. `default` by default.
    public var networkServiceType: NetworkServiceType {
        get { state.networkServiceType }
        set { state.networkServiceType = newValue }
    }

    /// Whether the request may use a cellular network. `true` by default.
    public var allowsCellularAccess: Bool {
        get { state.allowsCellularAccess }
        set { state.allowsCellularAccess = newValue }
    }

    /// Whether the request may use an expensive network. `true` by default.
    public var allowsExpensiveNetworkAccess: Bool {
        get { state.allowsExpensiveNetworkAccess }
        set { state.allowsExpensiveNetworkAccess = newValue }
    }

    /// Whether the request may use a network in low data mode. `true` by default.
    public var allowsConstrainedNetworkAccess: Bool {
        get { state.allowsConstrainedNetworkAccess }
        set { state.allowsConstrainedNetworkAccess = newValue }
    }

    /// Whether the server is assumed to support HTTP/3 before it announces it. `false` by default.
    public var assumesHTTP3Capable: Bool {
        get { state.assumesHTTP3Capable }
        set { state.assumesHTTP3Capable = newValue }
    }

    /// The method. `GET` by default; setting `nil` sets `GET`.
    ///
    /// `GET`, `HEAD`, `POST`, `PUT`, `DELETE` and `CONNECT` are converted to upper case. Every
    /// other method keeps its spelling: methods are case-sensitive (RFC 9110, 9.1).
    public var httpMethod: String? {
        get { state.method }
        set { state.setMethod(newValue) }
    }

    /// The header fields; `nil` if none was ever set.
    ///
    /// Names keep the spelling given here, so two names may differ only in case. Both are sent, and
    /// ``value(forHTTPHeaderField:)`` returns the value of the one that sorts first.
    public var allHTTPHeaderFields: [String: String]? {
        get { state.allHTTPHeaderFields }
        set { state.allHTTPHeaderFields = newValue }
    }

    /// The value of a header field. `nil` if the request doesn't have it. `field` is
    /// case-insensitive.
    public func value(forHTTPHeaderField field: String) -> String? {
        state.value(forHTTPHeaderField: field)
    }

    /// Sets the value of a header field. `nil` removes the field.
    ///
    /// `field` is case-insensitive. Its words are capitalised: `x-api-KEY` becomes `X-Api-Key`.
    ///
    /// A value with a NUL or a line break isn't set; the request stays as it is. Except that a
    /// line may be folded, by CR, LF, and a space or tab: a space is sent instead.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        state.setValue(value, forHTTPHeaderField: field)
    }

    /// Appends a value to a header field, after a comma. Sets it if the field doesn't exist.
    ///
    /// `field` is case-insensitive. An existing field keeps its spelling. A value that
    /// ``setValue(_:forHTTPHeaderField:)`` doesn't set isn't appended.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        state.addValue(value, forHTTPHeaderField: field)
    }

    /// The body, in memory. Setting it, also to `nil`, removes ``httpBodyStream``.
    ///
    /// A `HEAD` request is sent without its body (RFC 9110, 9.3.2).
    public var httpBody: Data? {
        get { state.body.data }
        set { state.body.data = newValue }
    }

    /// The stream that the body is read from. Setting it, also to `nil`, removes ``httpBody``.
    ///
    /// Don't use a stream after setting it: it belongs to the task that sends the request. Copies
    /// of the request share the stream. It isn't archived.
    public var httpBodyStream: InputStream? {
        get { state.bodyStream }
        set { state.bodyStream = newValue }
    }

    /// Whether stored cookies are sent, and cookies of the response stored. `true` by default.
    public var httpShouldHandleCookies: Bool {
        get { state.httpShouldHandleCookies }
        set { state.httpShouldHandleCookies = newValue }
    }

    /// Whether the request may be sent before another one's response arrives.
    ///
    /// `true` by default. HTTP/2 always multiplexes requests; over HTTP/1.1 requests are never
    /// pipelined.
    public var httpShouldUsePipelining: Bool {
        get { state.httpShouldUsePipelining }
        set { state.httpShouldUsePipelining = newValue }
    }
}

extension URLRequest {
    /// The request with an absolute URL, as it is loaded.
    var resolved: URLRequest {
        guard let url = state.url, url.baseURL != nil else { return self }
        var request = self
        request.state.url = url.absoluteURL
        return request
    }
}

extension URLRequest: Hashable {
    /// Whether all properties are equal, including header fields and body.
    ///
    /// Body streams are equal if they are the same object.
    public static func == (lhs: URLRequest, rhs: URLRequest) -> Bool {
        lhs.state == rhs.state
    }

    /// Hashes all properties.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
    }
}

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL.
    public var description: String {
        url?.description ?? "url: nil"
    }

    /// The URL.
    public var debugDescription: String { description }

    /// The properties by name.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": url as Any,
                "cachePolicy": cachePolicy.rawValue,
                "timeoutInterval": timeoutInterval,
                "mainDocumentURL": mainDocumentURL as Any,
                "networkServiceType": networkServiceType,
                "allowsCellularAccess": allowsCellularAccess,
                "allowsExpensiveNetworkAccess": allowsExpensiveNetworkAccess,
                "allowsConstrainedNetworkAccess": allowsConstrainedNetworkAccess,
                "assumesHTTP3Capable": assumesHTTP3Capable,
                "httpMethod": httpMethod as Any,
                "allHTTPHeaderFields": allHTTPHeaderFields as Any,
                "httpBody": httpBody as Any,
                "httpBodyStream": httpBodyStream as Any,
                "httpShouldHandleCookies": httpShouldHandleCookies,
                "httpShouldUsePipelining": httpShouldUsePipelining,
            ],
            displayStyle: .struct
        )
    }
}
