internal import Foundation

extension CookieJar {
    /// A jar with what a file holds, but for what has expired or is too much.
    init(_ cookies: [StoredCookie], now: Date) {
        self.init()
        for cookie in cookies where !cookie.isExpired(at: now) {
            put(cookie)
            removeExcess(in: cookie.site, now: now)
        }
    }

    /// Makes changes to a file's cookies that others may have changed meanwhile: of one key, what was
    /// set or removed last stays. Returns whether that changed anything.
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

    /// Takes over what a file holds, which others change too, but for what has changed here since.
    /// Returns whether that changed anything.
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
