/// Which shards of a loop an origin's attempts and idle connections are in. A pure value.
///
/// A shard is one of the loop's multi handles. For each request, libcurl looks through all
/// connections that the multi handle has to the origin. So a shard gets only as many as
/// ``capacity``. An attempt goes to the first shard that has an idle connection to the origin, or
/// else to the first one with room for another connection. So an origin with few transfers at once
/// stays in the first shard, which all origins share.
struct OriginShards {
    // Measured with libcurl 7.88.1 and 4,000 transfers at once to one origin, in µs of CPU time a
    // request: 116 with one multi handle, and with capacities of 16, 32, 64 and 128: 67, 67, 61
    // and 73. A multi handle takes 80 KiB of memory.

    /// The number of attempts to the origin that a shard has at most, if they may be divided.
    static let capacity = 64

    private struct Use {
        /// The attempts in the shard.
        var active = 0
        /// The attempts among them for which libcurl hasn't chosen a connection yet.
        var choosing = 0
        /// The connections without a transfer.
        var idle = 0

        var isEmpty: Bool { active == 0 && idle == 0 }
    }

    private var first = Use()
    /// The shards after the first one, up to the last one that is in use.
    private var others: [Use] = []
    /// The shards with more idle connections than attempts that may take them.
    private var withIdle = ShardSet()
    /// The shards with fewer attempts than their capacity.
    private var withRoom = ShardSet(first: 0)

    /// Whether other shards than the first one are in use.
    var isDivided: Bool { !others.isEmpty }

    /// Chooses the shard of a new attempt, and counts it there.
    ///
    /// - Parameters:
    ///   - isDivisible: Whether the attempt may leave the first shard.
    ///   - isChoosing: Whether libcurl will choose an idle connection for it, if there is one.
    mutating func start(isDivisible: Bool, isChoosing: Bool) -> Int {
        let shard = isDivisible ? next(isChoosing: isChoosing) : 0
        if shard > others.count { others.append(Use()) }
        change(shard) {
            $0.active += 1
            if isChoosing { $0.choosing += 1 }
        }
        return shard
    }

    /// Whether a new attempt would find an idle connection.
    var hasIdle: Bool { withIdle.first != nil }

    /// The number of idle connections in all shards.
    var idleCount: Int { others.reduce(first.idle) { $0 + $1.idle } }

    private func next(isChoosing: Bool) -> Int {
        if isChoosing, let idle = withIdle.first { return idle }
        return withRoom.first ?? others.count + 1
    }

    /// Records that libcurl has chosen a connection for an attempt, or has opened a socket.
    mutating func chose(in shard: Int) {
        change(shard) { $0.choosing -= 1 }
    }

    /// Records the end of an attempt.
    mutating func ended(in shard: Int, isChoosing: Bool) {
        change(shard) {
            $0.active -= 1
            if isChoosing { $0.choosing -= 1 }
        }
        removeUnused()
    }

    /// Records that a connection is idle now.
    mutating func becameIdle(in shard: Int) {
        while shard > others.count { others.append(Use()) }
        change(shard) { $0.idle += 1 }
    }

    /// Records that an idle connection is used again, or is closed.
    mutating func idleEnded(in shard: Int) {
        change(shard) { $0.idle -= 1 }
        removeUnused()
    }

    private mutating func change(_ shard: Int, _ change: (inout Use) -> Void) {
        let use: Use
        if shard == 0 {
            change(&first)
            use = first
        } else {
            change(&others[shard - 1])
            use = others[shard - 1]
        }
        assert(
            use.active >= 0 && use.choosing >= 0 && use.idle >= 0,
            "an attempt or a connection leaves a shard that it isn't in"
        )
        withIdle.set(shard, to: use.idle > use.choosing)
        withRoom.set(shard, to: use.active < Self.capacity)
    }

    private mutating func removeUnused() {
        while others.last?.isEmpty == true {
            others.removeLast()
            withRoom.set(others.count + 1, to: false)
        }
    }
}

/// A set of shards, whose lowest one is found without a search.
private struct ShardSet {
    /// The first 64 shards, one bit each.
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    init() {}

    init(first shard: Int) {
        set(shard, to: true)
    }

    var first: Int? {
        if low != 0 { return low.trailingZeroBitCount }
        guard let word = high.firstIndex(where: { $0 != 0 }) else { return nil }
        return (word + 1) * 64 + high[word].trailingZeroBitCount
    }

    mutating func set(_ shard: Int, to isMember: Bool) {
        let bit: UInt64 = 1 << UInt64(shard % 64)
        guard shard >= 64 else {
            low = isMember ? low | bit : low & ~bit
            return
        }
        let word = shard / 64 - 1
        while isMember, word >= high.count { high.append(0) }
        guard word < high.count else { return }
        high[word] = isMember ? high[word] | bit : high[word] & ~bit
    }
}

/// The shards of one origin, to which its attempts and sockets refer.
///
/// They remain valid if the scheduler forgets the origin.
final class OriginConnections {
    var shards = OriginShards()
    /// The connections that libcurl will close when their transfers end, and those being closed.
    var leaving = 0
    /// The connections without a transfer that libcurl is closing.
    var closing = 0
}

/// An attempt's place in a shard.
struct ShardPlace {
    let shard: Int
    private let connections: OriginConnections
    private var isChoosing: Bool

    /// Takes a place for an attempt.
    ///
    /// - Parameters:
    ///   - isDivisible: Whether the attempt may leave the first shard.
    ///   - reusesConnection: Whether libcurl may choose an idle connection.
    ///   - performsLookup: Whether a new connection needs a name lookup first. It may take long,
    ///     and meanwhile the attempt takes no connection that becomes idle.
    init(
        in connections: OriginConnections,
        isDivisible: Bool,
        reusesConnection: Bool,
        performsLookup: Bool
    ) {
        self.connections = connections
        isChoosing = reusesConnection && (!performsLookup || connections.shards.hasIdle)
        shard = connections.shards.start(isDivisible: isDivisible, isChoosing: isChoosing)
    }

    /// Records that the attempt has a connection, or has opened a socket for one.
    mutating func chose() {
        guard isChoosing else { return }
        isChoosing = false
        connections.shards.chose(in: shard)
    }

    /// Releases the place at the attempt's end.
    func leave() {
        connections.shards.ended(in: shard, isChoosing: isChoosing)
    }
}

@available(*, unavailable)
extension OriginConnections: Sendable {}
