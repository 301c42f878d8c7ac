public import Foundation

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A cookie (RFC 6265bis).
///
/// A cookie is immutable.
open class HTTPCookie: NSObject, @unchecked Sendable {
    let attributes: CookieAttributes

    /// Creates a cookie from properties.
    ///
    /// Name, value and path are required, and a domain or the URL that the cookie came from. Each
    /// key of ``HTTPCookiePropertyKey`` documents its values. Values of other types and unknown
    /// keys are ignored.
    ///
    /// - Returns: `nil` if a required property is missing, if name or value can't be sent (they
    ///   contain a semicolon or a control character, or the name contains an equals sign), or if
    ///   the name begins with `__Secure-` or `__Host-` and the cookie doesn't meet the prefix's
    ///   requirements.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let attributes = CookieAttributes(properties: properties, now: Date()) else {
            return nil
        }
        self.attributes = attributes
    }

    init(attributes: CookieAttributes) {
        self.attributes = attributes
    }

    /// The cookies that a response sets with `Set-Cookie`, in order.
    ///
    /// The field's name is case-insensitive, and several fields may have been joined by commas.
    /// Cookies are skipped if they have another host's domain, a public suffix as domain, control
    /// characters or more than 4,096 bytes, or if they don't meet the requirements of the prefix
    /// `__Secure-` or `__Host-`. Expired cookies are included, with their date: they remove
    /// existing ones.
    ///
    /// - Parameters:
    ///   - headerFields: The response's header fields.
    ///   - url: The URL of the response.
    open class func cookies(
        withResponseHeaderFields headerFields: [String: String],
        for url: URL
    ) -> [HTTPCookie] {
        let texts = ResponseHeaderFields(headerFields).values("Set-Cookie")
        return cookies(texts.flatMap { SetCookieList.split($0) }, for: url)
    }

    /// The cookies of separate `Set-Cookie` fields, as they were received.
    class func cookies(_ fields: [String], for url: URL) -> [HTTPCookie] {
        let now = Date()
        return fields.compactMap { CookieAttributes(setCookie: $0, url: url, now: now) }
            .map { HTTPCookie(attributes: $0) }
    }

    /// The `Cookie` field for these cookies, in order; empty without cookies.
    ///
    /// It isn't checked whether the cookies belong to a URL.
    open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
        guard !cookies.isEmpty else { return [:] }
        return ["Cookie": cookies.map(\.attributes.pair).joined(separator: "; ")]
    }

    /// The properties from which `init(properties:)` creates an equal cookie.
    open var properties: [HTTPCookiePropertyKey: Any]? { attributes.properties }

    /// The version: 0 by default, or 1.
    open var version: Int { attributes.version }

    /// The name. Empty if the server sent only a value.
    open var name: String { attributes.name }

    /// The value.
    open var value: String { attributes.value }

    /// When the cookie expires; `nil` if it ends with the session.
    open var expiresDate: Date? { attributes.expires }

    /// Whether the cookie ends with the session.
    ///
    /// It does if it has no expiry date or is to be discarded.
    open var isSessionOnly: Bool { attributes.isDiscarded || attributes.expires == nil }

    /// The domain, lowercase. A domain with a leading dot includes all its subdomains; otherwise it
    /// is a single host.
    open var domain: String { attributes.domain }

    /// The path. The cookie belongs to it and the paths below it.
    open var path: String { attributes.path }

    /// Whether the cookie is sent only over secure connections.
    open var isSecure: Bool { attributes.isSecure }

    /// Whether the cookie is hidden from scripts.
    open var isHTTPOnly: Bool { attributes.isHTTPOnly }

    /// Whether requests that other sites' pages cause include the cookie.
    ///
    /// It is `nil` for `SameSite=None` and if unspecified.
    open var sameSitePolicy: HTTPCookieStringPolicy? {
        attributes.sameSite.flatMap { $0.rawValue == "none" ? nil : $0 }
    }

    /// A comment on the purpose of the cookie.
    open var comment: String? { attributes.comment }

    /// The URL of a description of the cookie's purpose.
    open var commentURL: URL? { attributes.commentURL }

    /// The ports that the cookie is sent to; `nil` for all.
    open var portList: [NSNumber]? {
        attributes.ports.map { $0.map { NSNumber(value: $0) } }
    }

    /// Whether `object` is a cookie with the same attributes.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HTTPCookie else { return false }
        return other === self || other.attributes == attributes
    }

    /// Equal for equal cookies.
    open override var hash: Int { attributes.hashValue }

    /// The class and the most important attributes.
    open override var description: String {
        "<\(type(of: self)) version:\(version) name:\"\(name)\" value:\"\(value)\" "
            + "expiresDate:\(expiresDate.map { "\($0)" } ?? "nil") sessionOnly:\(isSessionOnly) "
            + "domain:\"\(domain)\" path:\"\(path)\" isSecure:\(isSecure) isHTTPOnly:\(isHTTPOnly)>"
    }
}

extension HTTPCookie {
    /// Which cookies a storage accepts.
    public enum AcceptPolicy: UInt, Sendable {
        /// All.
        case always
        /// None.
        case never
        /// Those of the main document's site.
        case onlyFromMainDocumentDomain
    }
}
