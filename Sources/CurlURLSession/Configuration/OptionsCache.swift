internal import CurlTransport
internal import Synchronization

/// A session's prepared options: requests that differ in nothing that matters share them.
///
/// Nearly all requests of a session are alike, so the options of the first are looked at first.
final class OptionsCache: Sendable {
    /// What tells requests' options apart.
    struct Key: Sendable, Hashable {
        var idleLimit: Duration?
        var asksForHTTP3 = false
        var evaluatesServerTrust = false
        var collectsContent = false
    }

    /// More than any program's requests have on purpose; then it is begun anew.
    static let limit = 64

    private struct State: Sendable {
        var firstKey: Key?
        var first: PreparedOptions?
        var others: [Key: PreparedOptions] = [:]
    }

    private let state = Mutex<State>(State())

    /// The options for `key`, which `make` prepares the first time. It may block, so it isn't called
    /// under the lock: threads that come at once may each prepare some, of which one is kept.
    func options(
        for key: Key,
        make: () throws(TransportError) -> PreparedOptions
    ) throws(TransportError) -> PreparedOptions {
        if let kept = known(key) { return kept }
        let made = try make()
        return state.withLock { state in
            guard let first = state.firstKey else {
                state.firstKey = key
                state.first = made
                return made
            }
            if first == key, let kept = state.first { return kept }
            if let kept = state.others[key] { return kept }
            if state.others.count >= Self.limit { state.others.removeAll() }
            state.others[key] = made
            return made
        }
    }

    /// How many are kept.
    var count: Int {
        state.withLock { ($0.first == nil ? 0 : 1) + $0.others.count }
    }

    private func known(_ key: Key) -> PreparedOptions? {
        state.withLock { $0.firstKey == key ? $0.first : $0.others[key] }
    }
}
