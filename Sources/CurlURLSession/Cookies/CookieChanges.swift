internal import Foundation

/// Changes of persistent cookies that haven't been written to the file yet.
struct CookieChanges: Sendable {
    enum Change: Sendable {
        case stored(StoredCookie)
        /// Removed at this time.
        case removed(Date)
    }

    private(set) var byKey: [CookieKey: Change] = [:]

    var isEmpty: Bool { byKey.isEmpty }

    subscript(key: CookieKey) -> Change? { byKey[key] }

    /// Records that a cookie was set and replaced `old`.
    ///
    /// The file contains no session cookies: if one replaces a persistent cookie, that is a
    /// removal.
    mutating func note(_ cookie: StoredCookie, replacing old: StoredCookie?) {
        if cookie.isPersistent {
            byKey[cookie.key] = .stored(cookie)
        } else if let old {
            noteRemoval(of: old, at: cookie.stored)
        }
    }

    /// Records that a cookie was removed.
    ///
    /// If the clock was set back, the cookie may have been set at a later time than now. The
    /// removal then gets that time, so that it takes effect.
    mutating func noteRemoval(of cookie: StoredCookie, at now: Date) {
        guard cookie.isPersistent else { return }
        byKey[cookie.key] = .removed(max(now, cookie.stored))
    }

    /// Restores changes that couldn't be written, except for cookies that have changed again.
    mutating func restore(_ earlier: CookieChanges) {
        byKey.merge(earlier.byKey) { later, _ in later }
    }
}
