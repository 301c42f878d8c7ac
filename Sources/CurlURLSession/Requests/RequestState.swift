internal import Foundation
internal import HTTPSemantics

/// The properties of `URLRequest` and `NSURLRequest`.
struct RequestState: Sendable, Hashable {
    /// As it was set. An initializer's argument is made absolute.
    var url: URL?
    var mainDocumentURL: URL?
    var cachePolicy: NSURLRequest.CachePolicy
    var timeout: RequestTimeout
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var assumesHTTP3Capable = false
    private(set) var method = "GET"
    /// `nil` until header fields are set; distinct from `[:]`.
    var headerFields: RequestHeaderFields?
    var body = BodyContent.none {
        didSet {
            // The stream read the former body.
            if properties.bodyStream != nil { properties = properties.setting(bodyStream: nil) }
        }
    }
    /// Properties set by the user's protocols.
    var properties = RequestProperties()
    var httpShouldHandleCookies = true
    var httpShouldUsePipelining = true

    init(url: URL?, cachePolicy: NSURLRequest.CachePolicy, timeoutInterval: TimeInterval) {
        self.url = url?.absoluteURL
        self.cachePolicy = cachePolicy
        timeout = RequestTimeout(timeoutInterval)
    }

    /// Methods that are always written in upper case. All others keep their spelling, because
    /// methods are case-sensitive (RFC 9110, 9.1).
    private static let capitalMethods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]

    /// Sets the method; `nil` sets `GET`.
    mutating func setMethod(_ name: String?) {
        guard let name else {
            method = "GET"
            return
        }
        method = Self.capitalMethods.first { $0.equalsIgnoringASCIICase(name) } ?? name
    }

    /// The body stream that was set. For a protocol, a stream that reads the body in memory.
    var bodyStream: InputStream? {
        get { body.stream ?? properties.bodyStream }
        set { body.stream = newValue }
    }

    var allHTTPHeaderFields: [String: String]? {
        get { headerFields?.dictionary }
        set { headerFields = newValue.map { RequestHeaderFields($0) } }
    }

    func value(forHTTPHeaderField field: String) -> String? {
        headerFields?[field]
    }

    // The fields are changed in place. If they were removed with `take()` and put back, a release
    // build would lose them: see "Two patterns that Swift 6.3 compiles wrongly" in
    // .github/CONTRIBUTING.md.

    mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        guard value?.isFieldValue ?? true else { return }
        setValidValue(value, for: field)
    }

    /// - Parameter value: `nil`, or a text that is a field's value.
    mutating func setValidValue(_ value: String?, for field: String) {
        if headerFields == nil { headerFields = RequestHeaderFields() }
        headerFields?.set(value, for: field)
    }

    mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        guard value.isFieldValue else { return }
        if headerFields == nil { headerFields = RequestHeaderFields() }
        headerFields?.add(value, for: field)
    }
}

/// A request's timeout, and whether it was set explicitly.
///
/// An explicit timeout, even of 60 seconds, overrides the session's; the default doesn't.
struct RequestTimeout: Sendable {
    /// The default timeout.
    static let standard: TimeInterval = 60

    /// In seconds.
    var seconds: TimeInterval {
        didSet { isChosen = true }
    }
    private(set) var isChosen: Bool

    /// Stores an initializer's argument. An explicit argument of 60 seconds can't be distinguished
    /// from the default argument.
    init(_ seconds: TimeInterval) {
        self.seconds = seconds
        isChosen = seconds != Self.standard
    }
}

// Requests with the same timeout are equal, whether it was set explicitly or not.
extension RequestTimeout: Hashable {
    static func == (lhs: RequestTimeout, rhs: RequestTimeout) -> Bool {
        lhs.seconds == rhs.seconds
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
    }
}
