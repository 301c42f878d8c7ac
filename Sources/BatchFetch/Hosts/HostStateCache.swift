internal import DequeModule

/// A bounded cache of the state of idle hosts; 4,096 by default. Pure.
///
/// A host that struggled or failed keeps its reduced rate even if its next URL comes a little
/// later.
struct HostStateCache: Sendable {
    private struct Entry: Sendable {
        let state: HostState
        /// The entry of `order` that is valid for this host.
        let number: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    /// Hosts in the order of insertion, including stale entries.
    private var order = Deque<(key: String, number: Int)>()
    private var number = 0

    init(limit: Int = 4096) {
        self.limit = max(1, limit)
    }

    var count: Int { entries.count }

    subscript(key: String) -> HostState? { entries[key]?.state }

    mutating func keep(_ state: HostState, of key: String) {
        number += 1
        entries[key] = Entry(state: state, number: number)
        order.append((key, number))
        while entries.count > limit, let oldest = order.popFirst() { forget(oldest) }
        if order.count > 2 * limit { dropStalePlaces() }
    }

    /// Removes and returns the state of a host.
    mutating func take(_ key: String) -> HostState? {
        entries.removeValue(forKey: key)?.state
    }

    private mutating func forget(_ place: (key: String, number: Int)) {
        guard entries[place.key]?.number == place.number else { return }
        entries[place.key] = nil
    }

    private mutating func dropStalePlaces() {
        for _ in 0..<order.count {
            guard let place = order.popFirst() else { return }
            if entries[place.key]?.number == place.number { order.append(place) }
        }
    }
}
