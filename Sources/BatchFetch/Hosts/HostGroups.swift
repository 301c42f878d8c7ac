import CurlResilience
internal import DequeModule
import Posix
internal import PublicSuffix

/// The limits that several hosts share; `nil` for none.
struct GroupLimits: Sendable, Hashable {
    /// URLs in flight of one registrable domain.
    var perDomain: Int?
    /// URLs in flight of one IP address.
    var perAddress: Int?
}

/// Hosts that share limits: those of one rule, one registrable domain, or one IP address.
///
/// A host that could start an item while one of its groups is full is parked in that group, and
/// returned when the group has room. The caller doesn't park it twice. Pure: the caller passes the
/// current time.
struct HostGroups: Sendable {
    private struct Group: Sendable {
        let key: String
        let concurrency: Int
        let interval: Duration
        /// The number of stored hosts in the group.
        var members = 0
        var inFlight = 0
        var gate = RateLimiter()
        /// Whether the group is in `holds`.
        var isTimed = false
        var parked = Deque<Int>()

        func hasRoom(at now: MonotonicTime) -> Bool {
            inFlight < concurrency && isOpen(at: now)
        }

        func isOpen(at now: MonotonicTime) -> Bool {
            interval <= .zero || gate.isOpen(interval: interval, at: now)
        }
    }

    /// The maximum number of addresses of a host that count.
    private static let addressesPerHost = 16

    private let limits: GroupLimits
    private var groups: [Group] = []
    private var places: [String: Int] = [:]
    private var unused: [Int] = []
    /// The groups whose interval must pass before a parked host may start.
    private var holds = TimedHeap<Int>()

    init(_ limits: GroupLimits) {
        self.limits = limits
    }

    /// The number of stored groups.
    var count: Int { places.count }

    /// Whether the addresses of hosts must be known.
    var needsAddresses: Bool { limits.perAddress != nil }

    /// When a parked host may start because time has passed; `nil` if none may.
    var nextHoldEnd: MonotonicTime? { holds.nextTime }

    // MARK: Members

    /// Adds a host to the groups of its rule and its domain; returns them.
    mutating func join(host: String, rule: HostRule?) -> [Int] {
        var joined: [Int] = []
        if let rule, rule.isShared {
            joined.append(
                join("rule \(rule.pattern)", rule.concurrency ?? .max, interval: rule.interval)
            )
        }
        if let limit = limits.perDomain {
            let domain = PublicSuffixList.shared.registrableDomain(of: host) ?? host
            joined.append(join("domain \(domain)", limit))
        }
        return joined
    }

    /// Adds a host to the groups of its addresses; returns them.
    mutating func join(addresses: [String]) -> [Int] {
        guard let limit = limits.perAddress else { return [] }
        return addresses.prefix(Self.addressesPerHost).map { join("address \($0)", limit) }
    }

    private mutating func join(
        _ key: String,
        _ concurrency: Int,
        interval: Duration? = nil
    ) -> Int {
        if let place = places[key] {
            groups[place].members += 1
            return place
        }
        var group = Group(
            key: key,
            concurrency: max(1, concurrency),
            interval: interval ?? .zero
        )
        group.members = 1
        let place = unused.popLast() ?? groups.count
        if place == groups.count { groups.append(group) } else { groups[place] = group }
        places[key] = place
        return place
    }

    /// Removes a host, which isn't parked, from its groups.
    mutating func leave(_ joined: [Int]) {
        for place in joined {
            groups[place].members -= 1
            // A group with an interval remembers its last start. There is one for each such rule.
            guard groups[place].members == 0, groups[place].interval <= .zero else { continue }
            places[groups[place].key] = nil
            unused.append(place)
        }
    }

    // MARK: Starts

    /// The first of the groups that allows no further start; `nil` if all allow one.
    func full(_ joined: [Int], at now: MonotonicTime) -> Int? {
        joined.first { !groups[$0].hasRoom(at: now) }
    }

    mutating func started(_ joined: [Int], at now: MonotonicTime) {
        for place in joined {
            groups[place].inFlight += 1
            guard groups[place].interval > .zero else { continue }
            groups[place].gate.pass(interval: groups[place].interval, at: now)
            if !groups[place].parked.isEmpty { time(place) }
        }
    }

    mutating func ended(_ joined: [Int]) {
        for place in joined { groups[place].inFlight = max(0, groups[place].inFlight - 1) }
    }

    // MARK: Parked hosts

    /// Keeps a host until the group has room.
    mutating func park(_ host: Int, in place: Int, at now: MonotonicTime) {
        groups[place].parked.append(host)
        if !groups[place].isOpen(at: now) { time(place) }
    }

    /// Removes and returns the host that was parked first in a group, if the group has room.
    ///
    /// Call it after each start, end and parking of a host. A host that doesn't use the room leaves
    /// it to the next one.
    mutating func unpark(_ place: Int, at now: MonotonicTime) -> Int? {
        groups[place].hasRoom(at: now) ? groups[place].parked.popFirst() : nil
    }

    /// Returns the groups whose interval has passed while hosts are parked in them.
    mutating func endHolds(at now: MonotonicTime) -> [Int] {
        var ended: [Int] = []
        while let place = holds.popDue(at: now) {
            groups[place].isTimed = false
            ended.append(place)
        }
        return ended
    }

    /// Forgets which hosts are parked.
    mutating func removeAllParked() {
        for place in groups.indices {
            groups[place].parked = Deque()
            groups[place].isTimed = false
        }
        holds.removeAll()
    }

    private mutating func time(_ place: Int) {
        guard !groups[place].isTimed else { return }
        groups[place].isTimed = true
        holds.insert(place, at: groups[place].gate.opens(interval: groups[place].interval))
    }
}
