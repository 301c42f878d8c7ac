internal import Foundation

extension CookieJar {
    /// Removes what is too much after a cookie was put in, in the order of RFC 6265bis, 5.7: expired
    /// cookies, then a site's own where it has too many, and of those first what isn't kept to secure
    /// connections, then any. What wasn't used for longest goes first.
    ///
    /// The RFC counts by domain. By site, the names below a domain can't be used to drive out others'
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
