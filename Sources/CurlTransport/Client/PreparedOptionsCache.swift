internal import Synchronization

/// A client's cache of prepared options, shared by requests with equal options.
///
/// Lookup compares whole options, starting with the latest. That costs less than hashing: different
/// options mostly differ in their first properties, and equal ones mostly share the memory of their
/// strings and arrays.
final class PreparedOptionsCache: Sendable {
    /// The capacity, without the client's own options. Few clients use more at a time.
    static let limit = 16

    private let own: PreparedOptions?
    /// Sorted by last use, latest first.
    private let recent = Mutex<[PreparedOptions]>([])

    init(own: PreparedOptions?) {
        self.own = own
    }

    /// The number of cached options, without the client's own.
    var count: Int { recent.withLock { $0.count } }

    /// Returns the prepared options, from the cache if possible.
    ///
    /// Preparing may block, so it happens outside the lock. If several threads prepare equal
    /// options at once, one result is cached.
    func prepared(_ options: TransferOptions) throws(TransportError) -> PreparedOptions {
        // The environment is read when options are prepared, and may have changed since then.
        guard options.proxy != .environment else { return try PreparedOptions(options) }
        if let own, own.options == options { return own }
        if let kept = recent.withLock({ Self.use(options, in: &$0) }) { return kept }
        let made = try PreparedOptions(options)
        return recent.withLock { recent in
            if let kept = Self.use(options, in: &recent) { return kept }
            if recent.count == Self.limit { recent.removeLast() }
            recent.insert(made, at: 0)
            return made
        }
    }

    private static func use(
        _ options: TransferOptions,
        in recent: inout [PreparedOptions]
    ) -> PreparedOptions? {
        guard let index = recent.firstIndex(where: { $0.options == options }) else { return nil }
        let kept = recent[index]
        if index > 0 {
            recent.remove(at: index)
            recent.insert(kept, at: 0)
        }
        return kept
    }
}
