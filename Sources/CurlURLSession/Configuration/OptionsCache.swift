internal import CurlTransport
internal import Synchronization

/// A session's prepared options, shared by requests whose options are equal.
///
/// Nearly all requests of a session are alike, so the options of the first request are checked
/// first.
final class OptionsCache: Sendable {
    /// The properties in which the options of requests differ.
    struct Key: Sendable, Hashable {
        var idleLimit: Duration?
        var asksForHTTP3 = false
        var evaluatesServerTrust = false
        var collectsContent = false
    }

    /// The most options besides the first. No program needs more on purpose; when exceeded, they
    /// are removed.
    static let limit = 64

    private struct State: Sendable {
        var firstKey: Key?
        var first: PreparedOptions?
        var others: [Key: PreparedOptions] = [:]
    }

    private let state = Mutex<State>(State())

    /// The options for `key`, which `make` creates if there are none.
    ///
    /// `make` may block, so it is called without the lock. Concurrent callers may each create
    /// options, of which one is kept.
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

    /// The number of stored options.
    var count: Int {
        state.withLock { ($0.first == nil ? 0 : 1) + $0.others.count }
    }

    private func known(_ key: Key) -> PreparedOptions? {
        state.withLock { $0.firstKey == key ? $0.first : $0.others[key] }
    }
}
