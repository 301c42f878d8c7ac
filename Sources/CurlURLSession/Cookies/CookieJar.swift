internal import Foundation

/// The cookies of a storage, by the rules of RFC 6265bis, 5.7 and 5.8.
///
/// They are grouped by site, so that a lookup skips those of all other sites. The possible keys for
/// a host's cookies are the host and its parent domains.
struct CookieJar: Sendable {
    /// The most cookies, in all and of one site. The RFC requires at least 3,000 and 50.
    static let maximum = 3_300
    static let maximumPerSite = 180
    /// How many cookies remain after an eviction. It evicts several at once, since choosing them is
    /// slow.
    static let remainder = 3_000

    private(set) var sites: [Substring: [StoredCookie]] = [:]
    private(set) var count = 0
    /// The changes since ``takeChanges()``; `nil` without a file.
    var changes: CookieChanges?
    private var lastSequence = 0

    /// All cookies, oldest first.
    var all: [StoredCookie] {
        sites.values.joined().sorted { $0.isOlder(than: $1) }
    }

    /// The cookies that outlive the session, oldest first.
    var persistent: [StoredCookie] { all.filter(\.isPersistent) }

    subscript(key: CookieKey, in site: Substring) -> StoredCookie? {
        sites[site]?.first { $0.key == key }
    }

    /// The cookies of a site and its subdomains.
    func cookies(of site: Substring) -> [StoredCookie] { sites[site] ?? [] }

    /// The cookies for a request, in the order in which they are sent. Marks them as used.
    mutating func take(
        for origin: CookieOrigin,
        isSameSite: Bool,
        now: Date
    ) -> [HTTPCookie] {
        var found: [StoredCookie] = []
        var hasExpired = false
        var site = origin.host.name[...]
        while true {
            if let place = sites.index(forKey: site) {
                for index in sites.values[place].indices {
                    let cookie = sites.values[place][index]
                    if cookie.isExpired(at: now) {
                        hasExpired = true
                    } else if cookie.belongs(to: origin, isSameSite: isSameSite) {
                        sites.values[place][index].accessed = now
                        found.append(cookie)
                    }
                }
            }
            guard let dot = site.utf8.firstIndex(of: UInt8(ascii: ".")) else { break }
            site = site[site.utf8.index(after: dot)...]
        }
        if hasExpired { removeExpired(now: now) }
        if found.count > 1 { found.sort { $0.isSent(before: $1) } }
        return found.map(\.cookie)
    }

    /// Stores a cookie. Returns the one with its key that it replaces, whose age it inherits.
    @discardableResult
    mutating func put(_ cookie: StoredCookie) -> StoredCookie? {
        var cookie = cookie
        guard let index = sites[cookie.site]?.firstIndex(where: { $0.key == cookie.key }),
            let old = sites[cookie.site]?[index]
        else {
            lastSequence += 1
            cookie.sequence = lastSequence
            sites[cookie.site, default: []].append(cookie)
            count += 1
            return nil
        }
        cookie.sequence = old.sequence
        cookie.created = old.created
        // The clock may have been set back: the time of a later change must not be earlier.
        cookie.stored = max(cookie.stored, old.stored)
        cookie.accessed = max(cookie.accessed, old.accessed)
        sites[cookie.site]?[index] = cookie
        return old
    }

    /// Removes and returns the cookie with a key.
    @discardableResult
    mutating func drop(_ key: CookieKey, in site: Substring) -> StoredCookie? {
        guard let index = sites[site]?.firstIndex(where: { $0.key == key }) else { return nil }
        let cookie = sites[site]?.remove(at: index)
        if sites[site]?.isEmpty == true { sites[site] = nil }
        count -= 1
        return cookie
    }

    /// Removes and returns the changes since the last call.
    mutating func takeChanges() -> CookieChanges {
        guard let taken = changes else { return CookieChanges() }
        changes = CookieChanges()
        return taken
    }
}
