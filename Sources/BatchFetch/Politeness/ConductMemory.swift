/// How hosts have been that have nothing to do at the moment, of the latest some thousands: a host that
/// struggled or failed isn't asked as if it were new because its next URL comes a little later. Pure.
struct ConductMemory: Sendable {
    private struct Entry: Sendable {
        let conduct: HostConduct
        /// Which place in `order` is this one's.
        let number: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    /// Those that were kept, the earliest first; and places of some that aren't any more.
    private var order = RingQueue<(key: String, number: Int)>()
    private var number = 0

    init(limit: Int = 4096) {
        self.limit = max(1, limit)
    }

    var count: Int { entries.count }

    subscript(key: String) -> HostConduct? { entries[key]?.conduct }

    mutating func keep(_ conduct: HostConduct, of key: String) {
        number += 1
        entries[key] = Entry(conduct: conduct, number: number)
        order.append((key, number))
        while entries.count > limit, let oldest = order.popFirst() { forget(oldest) }
        if order.count > 2 * limit { dropStalePlaces() }
    }

    /// Removes and returns what is known of a host.
    mutating func take(_ key: String) -> HostConduct? {
        entries.removeValue(forKey: key)?.conduct
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
