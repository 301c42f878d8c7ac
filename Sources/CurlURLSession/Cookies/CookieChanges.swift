internal import Foundation

/// What has become of persistent cookies since a file had them last.
struct CookieChanges: Sendable {
    enum Change: Sendable {
        case stored(StoredCookie)
        /// At that time.
        case removed(Date)
    }

    private(set) var byKey: [CookieKey: Change] = [:]

    var isEmpty: Bool { byKey.isEmpty }

    subscript(key: CookieKey) -> Change? { byKey[key] }

    /// A cookie was set, in the place of `old`. A file has none that ends with the session, nor what
    /// such a one replaces.
    mutating func note(_ cookie: StoredCookie, replacing old: StoredCookie?) {
        if cookie.isPersistent {
            byKey[cookie.key] = .stored(cookie)
        } else if let old {
            noteRemoval(of: old, at: cookie.stored)
        }
    }

    /// A cookie was removed. It may have been set at a later time than it is now, by a clock that was
    /// put back since: it is gone all the same.
    mutating func noteRemoval(of cookie: StoredCookie, at now: Date) {
        guard cookie.isPersistent else { return }
        byKey[cookie.key] = .removed(max(now, cookie.stored))
    }

    /// Takes changes back that couldn't be written, but for what has changed again.
    mutating func restore(_ earlier: CookieChanges) {
        byKey.merge(earlier.byKey) { later, _ in later }
    }
}
