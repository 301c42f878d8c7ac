internal import Foundation
internal import HTTPSemantics

/// A cookie in a storage (RFC 6265bis, 5.7).
struct StoredCookie: Sendable {
    /// The constant properties, in one object, because stored cookies are copied often.
    private final class Facts: Sendable {
        let cookie: HTTPCookie
        let key: CookieKey
        let site: Substring

        init(cookie: HTTPCookie, key: CookieKey) {
            self.cookie = cookie
            self.key = key
            site = key.host.site
        }
    }

    private let facts: Facts
    /// When the first cookie with its key was set.
    var created: Date
    /// When this cookie was set.
    var stored: Date
    /// When it was last sent or set.
    var accessed: Date
    /// Orders cookies that were created at the same time.
    var sequence = 0

    /// `nil` if no storage accepts the cookie. It may be too large, or its domain invalid or a
    /// public suffix.
    init?(_ cookie: HTTPCookie, created: Date, stored: Date, accessed: Date) {
        let attributes = cookie.attributes
        guard attributes.isValid, let key = CookieKey(attributes),
            key.isHostOnly || !key.host.isPublicSuffix,
            attributes.name.utf8.count + attributes.value.utf8.count
                <= SetCookieField.maximumPair,
            max(attributes.domain.utf8.count, attributes.path.utf8.count)
                <= SetCookieField.maximumAttribute
        else { return nil }
        facts = Facts(cookie: cookie, key: key)
        self.created = created
        self.stored = stored
        self.accessed = accessed
    }

    /// A cookie that is set now.
    init?(_ cookie: HTTPCookie, now: Date) {
        self.init(cookie, created: now, stored: now, accessed: now)
    }

    var cookie: HTTPCookie { facts.cookie }
    var key: CookieKey { facts.key }
    var attributes: CookieAttributes { facts.cookie.attributes }

    /// The registrable domain of its host, otherwise the host.
    var site: Substring { facts.site }

    /// Whether it outlives the session.
    var isPersistent: Bool { attributes.expires != nil && !attributes.isDiscarded }

    func isExpired(at now: Date) -> Bool {
        attributes.expires.map { $0 <= now } ?? false
    }

    /// Whether it has the same attributes, whatever its times.
    func isEqual(to other: StoredCookie) -> Bool {
        attributes == other.attributes
            && attributes.value.utf8.elementsEqual(other.attributes.value.utf8)
    }

    /// Whether it is sent with a request (RFC 6265bis, 5.8.3), unless it has expired.
    ///
    /// - Parameter isSameSite: Whether the request was caused by its own site.
    func belongs(to origin: CookieOrigin, isSameSite: Bool) -> Bool {
        guard key.isHostOnly ? origin.host == key.host : origin.host.isWithin(key.host),
            CookieOrigin.isPath(origin.path, within: key.path),
            origin.isSecure || !attributes.isSecure,
            isSameSite || !attributes.isKeptFromOtherSites
        else { return false }
        return attributes.ports?.contains(origin.port) ?? true
    }

    /// Whether it is sent before another cookie: longer paths first, then older cookies.
    func isSent(before other: StoredCookie) -> Bool {
        let lengths = (key.path.utf8.count, other.key.path.utf8.count)
        return lengths.0 == lengths.1 ? isOlder(than: other) : lengths.0 > lengths.1
    }

    func isOlder(than other: StoredCookie) -> Bool {
        (created, sequence) < (other.created, other.sequence)
    }

    /// Whether it was used less recently than another cookie.
    func isStaler(than other: StoredCookie) -> Bool {
        (accessed, sequence) < (other.accessed, other.sequence)
    }
}
