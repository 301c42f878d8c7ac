internal import Dispatch
internal import Foundation
internal import Synchronization

/// The state of a cookie storage behind a lock, and the access to its file.
final class CookieStore: Sendable {
    /// Applies changes to the contents of a file. The array has all cookies that belong there. May
    /// block.
    typealias Update =
        @Sendable (CookieChanges, [StoredCookie]) throws(HTTPCookieStorageError) ->
        CookieFile.Outcome

    struct State: Sendable {
        var jar = CookieJar()
        var policy = HTTPCookie.AcceptPolicy.always
        /// Whether the storage belongs to an ephemeral configuration.
        var isEphemeral = false
        var observer: (@Sendable () -> Void)?
        /// Whether a call of the observer is scheduled.
        var isNotificationScheduled = false
        /// Whether a write is scheduled.
        var isScheduled = false
        var lastWrite: DispatchTime?
        /// Why the file couldn't be written, until `flush()` reports it.
        var failure: HTTPCookieStorageError?
    }

    let state: Mutex<State>
    /// Held while writing, so that files are written in the order of the changes. Acquired before
    /// the lock of the state.
    let writing = Mutex<Void>(())
    /// Writes files and calls the observer.
    let queue = DispatchQueue(label: "curl-session-cookies", qos: .utility)
    /// `nil` if cookies are kept only in memory.
    let update: Update?
    private let count: Atomic<Int>

    /// A store without a file.
    init() {
        state = Mutex(State())
        update = nil
        count = Atomic(0)
    }

    /// A store with the contents of a file.
    init(_ jar: CookieJar, update: @escaping Update) {
        var state = State(jar: jar)
        state.jar.changes = CookieChanges()
        self.state = Mutex(state)
        self.update = update
        count = Atomic(jar.count)
    }

    /// Whether there are no cookies. Takes no lock.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Changes the state under the lock.
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            count.store(state.jar.count, ordering: .releasing)
            return result
        }
    }

    /// Changes cookies, and schedules writing them. Returns whether any cookie changed.
    func edit(_ body: (inout CookieJar) -> Bool) -> Bool {
        let isChanged = change { body(&$0.jar) }
        if isChanged { scheduleWriting() }
        return isChanged
    }
}

extension CookieStore {
    /// All cookies, oldest first.
    func all(now: Date) -> [HTTPCookie] {
        change { state in
            state.jar.removeExpired(now: now)
            return state.jar.all.map(\.cookie)
        }
    }

    /// The cookies for a request, in the order in which they are sent.
    func cookies(for origin: CookieOrigin, isSameSite: Bool, now: Date) -> [HTTPCookie] {
        if isEmpty { return [] }
        return change { $0.jar.take(for: origin, isSameSite: isSameSite, now: now) }
    }

    /// Sets cookies from a response, or from the program without `origin`. Returns whether any
    /// cookie changed.
    func set(_ cookies: [HTTPCookie], from origin: CookieOrigin?, now: Date) -> Bool {
        let stored = cookies.compactMap { StoredCookie($0, now: now) }
        guard !stored.isEmpty else { return false }
        return edit { jar in
            var isChanged = false
            for cookie in stored { isChanged = jar.set(cookie, from: origin) || isChanged }
            return isChanged
        }
    }

    /// Removes the cookie with the same key. Returns whether there was one.
    func remove(_ cookie: HTTPCookie, now: Date) -> Bool {
        guard let key = CookieKey(cookie.attributes) else { return false }
        let site = key.host.site
        return edit { $0.remove(key, in: site, now: now) }
    }

    /// Removes the cookies that were set at a time or later. Returns whether there were any.
    func removeAll(since date: Date, now: Date) -> Bool {
        edit { $0.removeAll(since: date, now: now) }
    }

    /// Calls the observer on the queue, once for all changes until then.
    func scheduleNotification() {
        let isFirst = state.withLock { state in
            defer { state.isNotificationScheduled = true }
            return !state.isNotificationScheduled && state.observer != nil
        }
        guard isFirst else { return }
        queue.async {
            let observer = self.state.withLock { state in
                state.isNotificationScheduled = false
                return state.observer
            }
            observer?()
        }
    }
}
