internal import Foundation

extension CookieJar {
    /// Creates a jar from a file's cookies, except expired and excess ones.
    init(_ cookies: [StoredCookie], now: Date) {
        self.init()
        for cookie in cookies where !cookie.isExpired(at: now) {
            put(cookie)
            removeExcess(in: cookie.site, now: now)
        }
    }

    /// Applies changes to a file's cookies, which others may have changed meanwhile.
    ///
    /// For each key, the latest change wins. Returns whether any cookie changed.
    mutating func apply(_ changes: CookieChanges, now: Date) -> Bool {
        var isChanged = false
        for (key, change) in changes.byKey {
            switch change {
            case .stored(let cookie):
                let held = self[key, in: cookie.site]
                if let held, held.stored > cookie.stored { continue }
                if cookie.isExpired(at: now) {
                    guard held != nil else { continue }
                    drop(key, in: cookie.site)
                } else {
                    put(cookie)
                    removeExcess(in: cookie.site, now: now)
                }
            case .removed(let date):
                let site = key.host.site
                guard let held = self[key, in: site], held.stored <= date else { continue }
                drop(key, in: site)
            }
            isChanged = true
        }
        return isChanged
    }

    /// Adopts a file's cookies, which others may have changed, except those with unwritten changes.
    ///
    /// Returns whether any cookie changed.
    mutating func adopt(_ file: CookieJar, now: Date) -> Bool {
        var isChanged = false
        for cookie in persistent where changes?[cookie.key] == nil {
            guard file[cookie.key, in: cookie.site] == nil else { continue }
            drop(cookie.key, in: cookie.site)
            isChanged = true
        }
        for cookie in file.all where changes?[cookie.key] == nil {
            let own = self[cookie.key, in: cookie.site]
            if let own, own.stored >= cookie.stored { continue }
            put(cookie)
            removeExcess(in: cookie.site, now: now)
            isChanged = own?.isEqual(to: cookie) != true || isChanged
        }
        return isChanged
    }
}
