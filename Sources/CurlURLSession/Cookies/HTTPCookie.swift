public import Foundation

/// A cookie (RFC 6265bis).
///
/// A cookie doesn't change.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class HTTPCookie: NSObject, @unchecked Sendable {
    let attributes: CookieAttributes

    /// Creates a cookie.
    ///
    /// Name, value and path are required, and a domain or the URL that the cookie came from. Each key
    /// of ``HTTPCookiePropertyKey`` says what values it takes; a value of another type is passed
    /// over, and so are other keys.
    ///
    /// - Returns: `nil` if a required property is missing, if name or value can't be sent (they have a
    ///   semicolon or a control character in them, or the name an equals sign), or if a name that
    ///   begins with `__Secure-` or `__Host-` promises what isn't so.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let attributes = CookieAttributes(properties: properties, now: Date()) else {
            return nil
        }
        self.attributes = attributes
    }

    init(attributes: CookieAttributes) {
        self.attributes = attributes
    }

    /// The cookies that a response sets, which are in its field `Set-Cookie`, in order.
    ///
    /// The name's case doesn't matter, and several fields may have been joined by commas. Left out are
    /// cookies of another host's domain, of a public suffix, with control characters, of more than
    /// 4,096 bytes, and such whose name begins with `__Secure-` or `__Host-` without its promise being
    /// kept. A cookie that has expired is there, with its date: it removes one.
    ///
    /// - Parameters:
    ///   - headerFields: The response's header fields.
    ///   - url: Where the response came from.
    open class func cookies(
        withResponseHeaderFields headerFields: [String: String],
        for url: URL
    ) -> [HTTPCookie] {
        let texts = ResponseHeaderFields(headerFields).values("Set-Cookie")
        return cookies(texts.flatMap { SetCookieList.split($0) }, for: url)
    }

    /// The cookies that fields set, each of which is one `Set-Cookie` as it was received.
    class func cookies(_ fields: [String], for url: URL) -> [HTTPCookie] {
        let now = Date()
        return fields.compactMap { CookieAttributes(setCookie: $0, url: url, now: now) }
            .map { HTTPCookie(attributes: $0) }
    }

    /// The field `Cookie` that sends these cookies, in order; empty without cookies. Whether they
    /// belong to a URL isn't looked at.
    open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
        guard !cookies.isEmpty else { return [:] }
        return ["Cookie": cookies.map(\.attributes.pair).joined(separator: "; ")]
    }

    /// What `init(properties:)` makes an equal cookie of.
    open var properties: [HTTPCookiePropertyKey: Any]? { attributes.properties }

    /// The version: 0, or 1 where somebody said so.
    open var version: Int { attributes.version }

    /// The name. Empty where a server gave a value alone.
    open var name: String { attributes.name }

    /// The value.
    open var value: String { attributes.value }

    /// When the cookie expires; `nil` if it lasts as long as the session.
    open var expiresDate: Date? { attributes.expires }

    /// Whether the cookie is dropped at the session's end: it doesn't expire before, or is to be
    /// discarded then.
    open var isSessionOnly: Bool { attributes.isDiscarded || attributes.expires == nil }

    /// The domain in small letters. With a dot in front it includes all domains below it; else it is
    /// that host alone.
    open var domain: String { attributes.domain }

    /// The path. The cookie is for it and what is below it.
    open var path: String { attributes.path }

    /// Whether the cookie is sent over secure connections alone.
    open var isSecure: Bool { attributes.isSecure }

    /// Whether the cookie is kept from scripts.
    open var isHTTPOnly: Bool { attributes.isHTTPOnly }

    /// Whether the cookie goes along with requests that pages of other sites cause; `nil` where
    /// nobody said so, and for `SameSite=None`.
    open var sameSitePolicy: HTTPCookieStringPolicy? {
        attributes.sameSite.flatMap { $0.rawValue == "none" ? nil : $0 }
    }

    /// A comment on what the cookie is for.
    open var comment: String? { attributes.comment }

    /// Where to read what the cookie is for.
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
