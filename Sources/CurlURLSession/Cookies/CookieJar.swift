internal import Foundation

/// The cookies of a storage, by the rules of RFC 6265bis, 5.7 and 5.8.
///
/// They are kept by site, so that a look-up passes over those of all others: the keys that a host's
/// cookies can have are the host and the domains above it.
struct CookieJar: Sendable {
    /// How many cookies are kept, in all and of one site. The RFC asks for 3,000 and 50 at least.
    static let maximum = 3_300
    static let maximumPerSite = 180
    /// How many are left when there are too many: finding out which ones go takes a while.
    static let remainder = 3_000

    private(set) var sites: [Substring: [StoredCookie]] = [:]
    private(set) var count = 0
    /// What has changed since ``takeChanges()``; `nil` where no file is kept.
    var changes: CookieChanges?
    private var lastSequence = 0

    /// All cookies, older ones first.
    var all: [StoredCookie] {
        sites.values.joined().sorted { $0.isOlder(than: $1) }
    }

    /// Those that outlive the session, older ones first.
    var persistent: [StoredCookie] { all.filter(\.isPersistent) }

    subscript(key: CookieKey, in site: Substring) -> StoredCookie? {
        sites[site]?.first { $0.key == key }
    }

    /// The cookies of a site and of its domains.
    func cookies(of site: Substring) -> [StoredCookie] { sites[site] ?? [] }

    /// The cookies that go along with a request, in the order in which they are sent. They count as
    /// used.
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

    /// Puts a cookie in, in the place of the one of its key, whose age it takes over. Returns that one.
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
        // Clocks are put back now and then; what is set later is later.
        cookie.stored = max(cookie.stored, old.stored)
        cookie.accessed = max(cookie.accessed, old.accessed)
        sites[cookie.site]?[index] = cookie
        return old
    }

    /// Removes the cookie of a key, and returns it.
    @discardableResult
    mutating func drop(_ key: CookieKey, in site: Substring) -> StoredCookie? {
        guard let index = sites[site]?.firstIndex(where: { $0.key == key }) else { return nil }
        let cookie = sites[site]?.remove(at: index)
        if sites[site]?.isEmpty == true { sites[site] = nil }
        count -= 1
        return cookie
    }

    /// The changes since it was asked last.
    mutating func takeChanges() -> CookieChanges {
        guard let taken = changes else { return CookieChanges() }
        changes = CookieChanges()
        return taken
    }
}
