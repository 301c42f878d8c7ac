internal import Posix

/// How an origin's transfers and connections are divided among loops. A pure value.
///
/// The first loop is the origin's *home*, on which its transfers run while it isn't spread. A loop
/// is open or closed for new transfers. A closed one finishes those that it has.
///
/// If the number of connections to the origin is limited, each loop is granted a part of the limit.
/// The home begins with all of it. A loop that has more than it should have gives up what it
/// doesn't use, so the sum is always the limit.
struct LoopShares {
    struct Member: Equatable {
        let loop: Int
        var isOpen = true
        /// The transfers that were assigned to the loop and haven't ended.
        var inFlight = 0
        /// The connections that the loop may have now; 0 without a limit.
        var granted = 0
        /// The connections that the loop should have; 0 without a limit.
        var target = 0
    }

    /// The fewest connections of a loop, if their number is limited.
    static let minimumShare = 16

    /// An origin is calm with fewer transfers in flight.
    static let minimumInFlight = 16

    /// The maximum number of connections to the origin; nil for no limit.
    let limit: Int?

    private(set) var members: [Member]

    /// The highest number of transfers in flight since the last window.
    private var peak = 0

    /// How long the origin has been calm, in nanoseconds.
    private var calm: Int64 = 0

    init(home: Int, limit: Int?) {
        self.limit = limit
        members = [Member(loop: home, granted: limit ?? 0, target: limit ?? 0)]
    }

    var home: Int { members[0].loop }

    /// Whether another loop is open for new transfers.
    var isSpread: Bool { members.contains { $0.isOpen && $0.loop != home } }

    /// Whether only the home remains, with all connections.
    var isFinished: Bool { members.count == 1 && members[0].granted == limit ?? 0 }

    func isOpen(_ loop: Int) -> Bool {
        members.contains { $0.loop == loop && $0.isOpen }
    }

    // MARK: Transfers

    /// Chooses the loop of a new transfer, and counts it there.
    ///
    /// It is the open loop with the fewest transfers, or with the most free connections; of several,
    /// the first one. A loop that may have no connection yet isn't chosen, because others might
    /// never give up theirs.
    mutating func assign() -> Int {
        var best = 0
        for index in members.indices.dropFirst()
        where members[index].isOpen && (limit == nil || members[index].granted > 0) {
            if room(of: members[index]) > room(of: members[best]) { best = index }
        }
        members[best].inFlight += 1
        peak = max(peak, members.reduce(0) { $0 + $1.inFlight })
        return members[best].loop
    }

    private func room(of member: Member) -> Int {
        (limit == nil ? 0 : Self.allowed(member)) - member.inFlight
    }

    /// Records the end of a transfer that was assigned to `loop`.
    ///
    /// Returns whether the loop must look at its share again.
    mutating func ended(on loop: Int) -> Bool {
        guard let index = members.firstIndex(where: { $0.loop == loop }) else {
            assertionFailure("a transfer ended on a loop that it wasn't assigned to")
            return false
        }
        members[index].inFlight -= 1
        assert(members[index].inFlight >= 0, "a transfer ended twice")
        guard !members[index].isOpen else { return false }
        let isTargetLower = members[index].inFlight < members[index].target
        if isTargetLower { setTargets() }
        removeIfUnused(index)
        return isTargetLower
    }

    // MARK: Loops

    /// Whether another loop's share wouldn't be too small.
    var hasRoomForLoop: Bool {
        guard let limit else { return true }
        return limit / (members.count { $0.isOpen } + 1) >= Self.minimumShare
    }

    /// Opens a loop for new transfers.
    mutating func open(_ loop: Int) {
        calm = 0
        if let index = members.firstIndex(where: { $0.loop == loop }) {
            members[index].isOpen = true
        } else {
            members.append(Member(loop: loop))
        }
        setTargets()
    }

    /// Adds a window of the home loop. Closes a loop for new transfers if the origin has been calm
    /// for long enough.
    ///
    /// The origin is calm if few transfers are in flight, or if its home isn't overloaded and one
    /// loop less could do the work of all its loops.
    ///
    /// - Parameters:
    ///   - elapsed: The length of the window in nanoseconds.
    ///   - patience: How long the origin must be calm, in nanoseconds.
    ///   - count: The origin's transfers on its home loop, including those not assigned here.
    ///   - load: How busy a loop is, in percent.
    /// - Returns: Whether a loop was closed.
    mutating func note(
        elapsed: Int64,
        patience: Int64 = CalmPatience.shortest,
        atHome count: Int,
        load: (_ loop: Int) -> Int
    ) -> Bool {
        defer { peak = 0 }
        let open = members.filter(\.isOpen)
        guard open.count > 1 else { return false }
        let inFlight = members.dropFirst().reduce(count) { $0 + $1.inFlight }
        let isHomeOverloaded = load(home) >= LoadWindow.overload
        let isCalm =
            max(peak, inFlight) < Self.minimumInFlight
            || !isHomeOverloaded
                && open.reduce(0) { $0 + load($1.loop) } < LoadWindow.room * (open.count - 1)
        calm = isCalm ? calm + elapsed : 0
        guard calm >= patience else { return false }
        calm = 0
        closeLast()
        return true
    }

    private mutating func closeLast() {
        guard let index = members.lastIndex(where: { $0.isOpen && $0.loop != home }) else { return }
        members[index].isOpen = false
        setTargets()
        removeIfUnused(index)
    }

    // MARK: Connections

    /// A loop's part of the limit; nil if it has none of its own.
    func share(of loop: Int) -> ConnectionShare? {
        guard limit != nil, !isFinished, let member = members.first(where: { $0.loop == loop })
        else { return nil }
        return ConnectionShare(
            allowed: Self.allowed(member),
            target: member.target,
            hasSurplus: member.granted > member.target
        )
    }

    private static func allowed(_ member: Member) -> Int {
        // A closed loop may still have transfers that wait, after a redirect.
        min(member.granted, max(member.target, 1))
    }

    /// Gives up the connections that `loop` shouldn't have and doesn't use.
    ///
    /// - Parameter connections: How many connections the loop has open, or is opening or closing.
    /// - Returns: The loops whose share has changed.
    mutating func giveUp(on loop: Int, keeping connections: Int) -> [Int] {
        guard limit != nil, let index = members.firstIndex(where: { $0.loop == loop }) else {
            return []
        }
        var surplus = members[index].granted - max(members[index].target, connections)
        var changed: [Int] = []
        for other in members.indices where surplus > 0 {
            let moved = min(surplus, members[other].target - members[other].granted)
            guard moved > 0 else { continue }
            members[index].granted -= moved
            members[other].granted += moved
            surplus -= moved
            changed.append(members[other].loop)
        }
        if !changed.isEmpty { changed.append(loop) }
        removeIfUnused(index)
        return changed
    }

    private mutating func setTargets() {
        guard let limit else { return }
        var left = limit
        // A closed loop needs connections for its last transfers.
        for index in members.indices where !members[index].isOpen {
            members[index].target = min(limit / members.count, members[index].inFlight)
            left -= members[index].target
        }
        let openCount = members.count { $0.isOpen }
        var extra = left % openCount
        for index in members.indices where members[index].isOpen {
            members[index].target = left / openCount + min(1, extra)
            extra = max(0, extra - 1)
        }
    }

    private mutating func removeIfUnused(_ index: Int) {
        let member = members[index]
        guard !member.isOpen, member.inFlight == 0, member.granted == 0 else { return }
        members.remove(at: index)
    }
}

/// How long the origins of a loop must be calm before they use one loop less. A pure value.
///
/// If a loop is overloaded again soon, the load isn't low for one loop less. Then the time doubles,
/// so that the loops of an origin don't change again and again.
struct CalmPatience {
    /// In nanoseconds.
    static let shortest: Int64 = 1_000_000_000
    private static let longest: Int64 = 64 * shortest

    /// In nanoseconds.
    private(set) var duration = shortest
    private var lastClosing: MonotonicTime?

    /// Records that an origin of the loop uses one loop less.
    mutating func closed(at now: MonotonicTime) {
        lastClosing = now
    }

    /// Records that an origin of the loop uses a further loop.
    mutating func opened(at now: MonotonicTime) {
        guard let closing = lastClosing.take() else { return }
        let isSoon = now.nanoseconds(since: closing) < 10 * duration
        duration = isSoon ? min(2 * duration, Self.longest) : Self.shortest
    }
}

/// A loop's part of the limit of connections to an origin.
struct ConnectionShare: Equatable {
    /// The connections that transfers may use now.
    let allowed: Int
    /// The connections that the loop should have.
    let target: Int
    /// Whether the loop must give up connections.
    let hasSurplus: Bool
}

/// Chooses a further loop for an origin. A pure value.
struct LoopCandidate {
    let loop: Int
    /// How busy it is, in percent.
    let load: Int
    /// The number of its transfers.
    let transfers: Int

    /// The loop that takes over a part of an overloaded one's work, which has `transfers`.
    ///
    /// Nil if each loop is about as busy as the overloaded one. Two busy loops are compared by their
    /// transfers: clients that wait for responses keep each of them busy with any number.
    static func best(of candidates: [LoopCandidate], besides transfers: Int) -> Int? {
        candidates.filter { $0.load < LoadWindow.room || $0.transfers * 2 <= transfers }
            .min { ($0.load, $0.transfers) < ($1.load, $1.transfers) }?.loop
    }
}
