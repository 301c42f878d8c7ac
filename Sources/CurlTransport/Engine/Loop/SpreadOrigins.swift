internal import Posix
internal import Synchronization

/// The origins of a transport whose transfers use several loops, because one is overloaded.
///
/// Drivers of overloaded loops add origins, and ``Transport/start(_:delegate:)`` asks for the loop
/// of each transfer. Most of the time there are none, which costs it one atomic load.
final class SpreadOrigins: Sendable {
    private let origins = Mutex<[SpreadOrigin]>([])
    private let count = Atomic(0)
    /// How busy each loop is.
    let loads: [LoopLoad]
    private let loops = Mutex<[EventLoop]>([])

    /// The maximum number of origins. A transport with many busy origins has work for all its loops.
    static let maximumCount = 64

    init(loopCount: Int) {
        loads = (0..<loopCount).map { _ in LoopLoad() }
    }

    /// Adds the loops in the order of their numbers, once.
    func setLoops(_ loops: [EventLoop]) {
        self.loops.withLock { $0 = loops }
    }

    // MARK: Transfers

    /// Assigns a new transfer to a loop; nil if its origin isn't spread.
    ///
    /// - Parameter route: The route of its options. Connections over different routes aren't shared.
    func place(for key: LoopKey, route: String) -> LoopPlace? {
        guard count.load(ordering: .acquiring) > 0, let origin = origin(for: key, route: route)
        else { return nil }
        return LoopPlace(at: origin)
    }

    /// The entry of an origin; nil if it isn't spread.
    func origin(for key: LoopKey, route: String) -> SpreadOrigin? {
        origins.withLock { origins in
            origins.first { $0.key == key && $0.connectionKey.route == route }
        }
    }

    // MARK: Loops

    /// Adds an origin, unless there are too many.
    func add(_ origin: SpreadOrigin) -> Bool {
        origins.withLock { origins in
            guard origins.count < Self.maximumCount else { return false }
            origins.append(origin)
            count.store(origins.count, ordering: .releasing)
            return true
        }
    }

    func remove(_ origin: SpreadOrigin) {
        origins.withLock { origins in
            origins.removeAll { $0 === origin }
            count.store(origins.count, ordering: .releasing)
        }
    }

    /// The origins that a loop is the home of.
    func origins(ofHome loop: Int) -> [SpreadOrigin] {
        guard count.load(ordering: .acquiring) > 0 else { return [] }
        return origins.withLock { $0.filter { $0.home == loop } }
    }

    /// Posts a command to the loops with these numbers.
    func post(_ command: Command, to numbers: some Sequence<Int>) {
        let loops = loops.withLock { $0 }
        for number in numbers where loops.indices.contains(number) { loops[number].post(command) }
    }
}

/// An origin whose transfers use several loops. May be used on any thread.
final class SpreadOrigin: Sendable {
    /// Scheme and authority of its requests.
    let key: LoopKey
    /// How the loops' schedulers identify it.
    let connectionKey: OriginKey
    /// The number of its home loop.
    let home: Int
    /// The maximum number of connections to it; nil for no limit.
    let limit: Int?
    private let shares: Mutex<LoopShares>
    private let table: SpreadOrigins

    init(
        _ key: LoopKey,
        _ connectionKey: OriginKey,
        home: Int,
        limit: Int?,
        in table: SpreadOrigins
    ) {
        self.key = key
        self.connectionKey = connectionKey
        self.home = home
        self.limit = limit
        self.table = table
        shares = Mutex(LoopShares(home: home, limit: limit))
    }

    /// How its transfers and connections are divided now.
    var current: LoopShares { shares.withLock { $0 } }

    /// Opens a loop for new transfers. Returns false if `current`, which asks for it, isn't open.
    func open(_ loop: Int, besides current: Int) -> Bool {
        var isOpen = false
        change { shares in
            isOpen = shares.isOpen(current)
            guard isOpen else { return [] }
            shares.open(loop)
            return shares.members.map(\.loop)
        }
        return isOpen
    }

    /// Adds a window of the home loop, which has `count` of the origin's transfers.
    ///
    /// Returns whether the origin uses one loop less.
    func note(
        _ window: LoadWindow,
        patience: Int64,
        atHome count: Int,
        at now: MonotonicTime
    ) -> Bool {
        let loads = table.loads
        var isChanged = false
        change { shares in
            // The loop that is closed may be removed.
            let loops = shares.members.map(\.loop)
            isChanged = shares.note(elapsed: window.elapsed, patience: patience, atHome: count) {
                loads[$0].percent(at: now)
            }
            return isChanged ? loops : []
        }
        if isChanged, limit == nil { removeIfFinished() }
        return isChanged
    }

    /// Gives up the connections that a loop shouldn't have and doesn't use.
    ///
    /// - Parameter connections: How many connections the loop has open, or is opening or closing.
    func giveUp(on loop: Int, keeping connections: Int) {
        change { $0.giveUp(on: loop, keeping: connections) }
    }

    /// Removes the origin from the table if its home has all transfers and connections again.
    func removeIfFinished() {
        if current.isFinished { table.remove(self) }
    }

    fileprivate func assign() -> Int {
        shares.withLock { $0.assign() }
    }

    fileprivate func ended(on loop: Int) {
        var isFinished = false
        change { [home] shares in
            let isChanged = shares.ended(on: loop)
            isFinished = loop != home && shares.isFinished
            return isChanged ? [home, loop] : []
        }
        // With a limit, the home loop reads its share first.
        if isFinished, limit == nil { removeIfFinished() }
    }

    /// Makes the loops that `change` returns read their share of the connections again.
    ///
    /// They are notified under the lock: no transfer is assigned to a loop before its command is in
    /// the loop's mailbox.
    private func change(_ change: (inout LoopShares) -> [Int]) {
        shares.withLock { shares in
            let loops = change(&shares)
            if limit != nil, !loops.isEmpty { table.post(.shareChanged(self), to: loops) }
        }
    }
}

/// A transfer's place on a loop, if its origin uses several.
///
/// Its release records the transfer's end, in whichever way it ends.
final class LoopPlace: Sendable {
    private let origin: SpreadOrigin
    /// The number of the loop.
    let loop: Int

    fileprivate init(at origin: SpreadOrigin) {
        self.origin = origin
        loop = origin.assign()
    }

    deinit {
        origin.ended(on: loop)
    }
}
