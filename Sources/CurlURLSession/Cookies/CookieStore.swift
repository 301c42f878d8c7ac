internal import Dispatch
internal import Foundation
internal import Synchronization

/// The state of a cookie storage, behind a lock, and the way to its file.
final class CookieStore: Sendable {
    /// Makes changes to what a file holds; the array has all cookies that belong there. May block.
    typealias Update =
        @Sendable (CookieChanges, [StoredCookie]) throws(HTTPCookieStorageError) ->
        CookieFile.Outcome

    struct State: Sendable {
        var jar = CookieJar()
        var policy = HTTPCookie.AcceptPolicy.always
        var observer: (@Sendable () -> Void)?
        /// Whether the observer is about to be called.
        var isTelling = false
        /// Whether the changes are about to be written.
        var isScheduled = false
        var lastWrite: DispatchTime?
        /// Why a file couldn't be written, which nobody was told yet.
        var failure: HTTPCookieStorageError?
    }

    let state: Mutex<State>
    /// Held by the one that writes, so that files are written in the order of the changes. Taken
    /// before the state's lock.
    let writing = Mutex<Void>(())
    /// Writes and tells.
    let queue = DispatchQueue(label: "CurlNetworking.HTTPCookieStorage", qos: .utility)
    /// `nil` where cookies are kept in memory alone.
    let update: Update?
    private let count: Atomic<Int>

    /// A store without a file.
    init() {
        state = Mutex(State())
        update = nil
        count = Atomic(0)
    }

    /// A store with what a file holds.
    init(_ jar: CookieJar, update: @escaping Update) {
        var state = State(jar: jar)
        state.jar.changes = CookieChanges()
        self.state = Mutex(state)
        self.update = update
        count = Atomic(jar.count)
    }

    /// Whether there is no cookie. Costs no lock.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Changes the cookies under the lock.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            count.store(state.jar.count, ordering: .releasing)
            return result
        }
    }

    /// Changes cookies, and has them written if that changed anything. Returns whether it did.
    func edit(_ body: (inout CookieJar) -> Bool) -> Bool {
        let isChanged = change { body(&$0.jar) }
        if isChanged { scheduleWriting() }
        return isChanged
    }
}

extension CookieStore {
    /// All cookies, older ones first.
    func all(now: Date) -> [HTTPCookie] {
        change { state in
            state.jar.removeExpired(now: now)
            return state.jar.all.map(\.cookie)
        }
    }

    /// The cookies that go along with a request, in order.
    func cookies(for origin: CookieOrigin, isSameSite: Bool, now: Date) -> [HTTPCookie] {
        if isEmpty { return [] }
        return change { $0.jar.take(for: origin, isSameSite: isSameSite, now: now) }
    }

    /// Sets cookies that a response from `origin` has, or that the program sets itself. Returns
    /// whether that changed anything.
    func set(_ cookies: [HTTPCookie], from origin: CookieOrigin?, now: Date) -> Bool {
        let stored = cookies.compactMap { StoredCookie($0, now: now) }
        guard !stored.isEmpty else { return false }
        return edit { jar in
            var isChanged = false
            for cookie in stored { isChanged = jar.set(cookie, from: origin) || isChanged }
            return isChanged
        }
    }

    /// Removes the cookie of the same key. Returns whether there was one.
    func remove(_ cookie: HTTPCookie, now: Date) -> Bool {
        guard let key = CookieKey(cookie.attributes) else { return false }
        let site = key.host.site
        return edit { $0.remove(key, in: site, now: now) }
    }

    /// Removes what was set at that time or later. Returns whether there was anything.
    func removeAll(since date: Date, now: Date) -> Bool {
        edit { $0.removeAll(since: date, now: now) }
    }

    /// Has the observer called on the queue, once for all changes until then.
    func tellLater() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling && state.observer != nil
        }
        guard isFirst else { return }
        queue.async {
            let observer = self.state.withLock { state in
                state.isTelling = false
                return state.observer
            }
            observer?()
        }
    }
}
