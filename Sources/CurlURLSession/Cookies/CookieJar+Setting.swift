internal import Foundation

extension CookieJar {
    /// Sets a cookie that a response from `origin` has; `nil` for one that the program sets itself,
    /// which may set all. One that has expired removes the one that is there.
    ///
    /// Returns whether that changed anything.
    mutating func set(_ cookie: StoredCookie, from origin: CookieOrigin?) -> Bool {
        if let origin, !accepts(cookie, from: origin) { return false }
        if let old = self[cookie.key, in: cookie.site], old.isExpired(at: cookie.stored) {
            drop(cookie.key, in: cookie.site)
        }
        if cookie.isExpired(at: cookie.stored) {
            return remove(cookie.key, in: cookie.site, now: cookie.stored)
        }
        let old = put(cookie)
        // Noted though it may say the same: somebody else may have removed it from the file.
        if let new = self[cookie.key, in: cookie.site] { changes?.note(new, replacing: old) }
        removeExcess(in: cookie.site, now: cookie.stored)
        return old?.isEqual(to: cookie) != true
    }

    /// Removes the cookie of a key. Returns whether there was one.
    mutating func remove(_ key: CookieKey, in site: Substring, now: Date) -> Bool {
        guard let old = drop(key, in: site) else { return false }
        changes?.noteRemoval(of: old, at: now)
        return true
    }

    /// Removes the cookies that were set at that time or later. Returns whether there were any.
    mutating func removeAll(since date: Date, now: Date) -> Bool {
        var isChanged = false
        for cookie in all where cookie.stored >= date {
            isChanged = remove(cookie.key, in: cookie.site, now: now) || isChanged
        }
        return isChanged
    }

    /// Removes what has expired. A file needn't know: whoever reads it sees the dates. Returns whether
    /// there was anything.
    @discardableResult
    mutating func removeExpired(now: Date) -> Bool {
        let before = count
        for cookie in sites.values.joined() where cookie.isExpired(at: now) {
            drop(cookie.key, in: cookie.site)
        }
        return count != before
    }

    /// Whether a response from `origin` may set the cookie (RFC 6265bis, 5.7).
    private func accepts(_ cookie: StoredCookie, from origin: CookieOrigin) -> Bool {
        let isItsOwn =
            cookie.key.isHostOnly
            ? origin.host == cookie.key.host : origin.host.isWithin(cookie.key.host)
        guard isItsOwn else { return false }
        if origin.isSecure { return true }
        return !cookie.attributes.isSecure && !wouldHideSecureCookie(cookie)
    }

    /// Whether a server could read the cookie, which came over a connection that isn't secure,
    /// instead of one that is kept to secure ones. Those of other sites are never sent beside it.
    private func wouldHideSecureCookie(_ cookie: StoredCookie) -> Bool {
        cookies(of: cookie.site).contains { other in
            other.attributes.isSecure && !other.isExpired(at: cookie.stored)
                && other.key.name.utf8.elementsEqual(cookie.key.name.utf8)
                && (other.key.host.isWithin(cookie.key.host)
                    || cookie.key.host.isWithin(other.key.host))
                && CookieOrigin.isPath(cookie.key.path, within: other.key.path)
        }
    }
}
