internal import Foundation

extension CookieJar {
    /// Sets a cookie from a response, or from the program without `origin`.
    ///
    /// The program may set any cookie. An expired cookie removes the existing one. Returns whether
    /// any cookie changed.
    mutating func set(_ cookie: StoredCookie, from origin: CookieOrigin?) -> Bool {
        if let origin, !accepts(cookie, from: origin) { return false }
        if let old = self[cookie.key, in: cookie.site], old.isExpired(at: cookie.stored) {
            drop(cookie.key, in: cookie.site)
        }
        if cookie.isExpired(at: cookie.stored) {
            return remove(cookie.key, in: cookie.site, now: cookie.stored)
        }
        let old = put(cookie)
        // An equal cookie is recorded too: another process may have removed it from the file.
        if let new = self[cookie.key, in: cookie.site] { changes?.note(new, replacing: old) }
        removeExcess(in: cookie.site, now: cookie.stored)
        return old?.isEqual(to: cookie) != true
    }

    /// Removes the cookie with a key. Returns whether there was one.
    mutating func remove(_ key: CookieKey, in site: Substring, now: Date) -> Bool {
        guard let old = drop(key, in: site) else { return false }
        changes?.noteRemoval(of: old, at: now)
        return true
    }

    /// Removes the cookies that were set at a time or later. Returns whether there were any.
    mutating func removeAll(since date: Date, now: Date) -> Bool {
        var isChanged = false
        for cookie in all where cookie.stored >= date {
            isChanged = remove(cookie.key, in: cookie.site, now: now) || isChanged
        }
        return isChanged
    }

    /// Removes expired cookies. Returns whether there were any.
    ///
    /// The removal isn't recorded for the file, since its readers check the dates, too.
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

    /// Whether an insecurely set cookie could hide a `Secure` one from a server.
    ///
    /// Cookies of other sites are never sent with it.
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

extension CookieJar {
    /// Removes excess cookies after one was added (RFC 6265bis, 5.7).
    ///
    /// Expired cookies are removed first. Then a site with too many cookies loses its own, those
    /// that aren't `Secure` first. Then any site's cookies are removed. In each step the least
    /// recently used cookies are removed first.
    ///
    /// The RFC counts by domain. Counting by site prevents subdomains from evicting other sites'
    /// cookies.
    mutating func removeExcess(in site: Substring, now: Date) {
        if cookies(of: site).count > Self.maximumPerSite {
            for cookie in cookies(of: site) where cookie.isExpired(at: now) {
                drop(cookie.key, in: site)
            }
            while cookies(of: site).count > Self.maximumPerSite {
                let worst = cookies(of: site).min { one, other in
                    one.attributes.isSecure == other.attributes.isSecure
                        ? one.isStaler(than: other) : !one.attributes.isSecure
                }
                guard let worst else { break }
                _ = remove(worst.key, in: site, now: now)
            }
        }
        guard count > Self.maximum else { return }
        removeExpired(now: now)
        let excess = max(0, count - Self.remainder)
        for worst in sites.values.joined().sorted(by: { $0.isStaler(than: $1) }).prefix(excess) {
            _ = remove(worst.key, in: worst.site, now: now)
        }
    }
}
