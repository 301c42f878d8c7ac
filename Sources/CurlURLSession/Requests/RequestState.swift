internal import Foundation

/// What `URLRequest` and `NSURLRequest` consist of.
struct RequestState: Sendable, Hashable {
    /// Absolute, however it was given.
    var url: URL? {
        didSet { url = url?.absoluteURL }
    }
    var mainDocumentURL: URL?
    var cachePolicy: NSURLRequest.CachePolicy
    var timeout: RequestTimeout
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var assumesHTTP3Capable = false
    private(set) var method = "GET"
    /// `nil` until somebody sets one, which `[:]` is told from.
    var headerFields: RequestHeaderFields?
    var body = BodyContent.none {
        didSet {
            // The other body's.
            if properties.bodyStream != nil { properties = properties.setting(bodyStream: nil) }
        }
    }
    /// What protocols of one's own have put here.
    var properties = RequestProperties()
    var httpShouldHandleCookies = true
    var httpShouldUsePipelining = true

    init(url: URL?, cachePolicy: NSURLRequest.CachePolicy, timeoutInterval: TimeInterval) {
        self.url = url?.absoluteURL
        self.cachePolicy = cachePolicy
        timeout = RequestTimeout(timeoutInterval)
    }

    /// The names that are written in capitals however they were given. Every other one is kept, as
    /// methods are case-sensitive (RFC 9110, 9.1).
    private static let capitalMethods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]

    /// `nil` means `GET`.
    mutating func setMethod(_ name: String?) {
        guard let name else {
            method = "GET"
            return
        }
        method = Self.capitalMethods.first { $0.equalsIgnoringASCIICase(name) } ?? name
    }

    /// The stream that the body is read from: what was set, or for a protocol one that reads the body
    /// in memory.
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

    mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        var fields = headerFields.take() ?? RequestHeaderFields()
        fields.set(value, for: field)
        headerFields = fields
    }

    mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        var fields = headerFields.take() ?? RequestHeaderFields()
        fields.add(value, for: field)
        headerFields = fields
    }
}
