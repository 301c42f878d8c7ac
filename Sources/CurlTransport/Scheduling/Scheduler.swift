internal import DequeModule
internal import Posix

/// Decides which waiting transfer starts next. A pure value of one loop, without clock or lock.
///
/// Each origin has its own queue, and origins take turns, so that one with a long queue or at its
/// limit doesn't delay the others. If an origin's name must be resolved, one transfer starts first.
/// The rest of its queue follows when that transfer has a socket, so that a burst to a new host
/// needs one lookup.
struct Scheduler {
    /// The origin's index in the table, which a transfer stores.
    typealias OriginIndex = Int

    /// The loop's answer when the scheduler requests a place.
    enum Permit {
        case granted
        case refused
    }

    private var origins: [Origin] = []
    private var freeIndices: [OriginIndex] = []
    private var indices: [OriginKey: OriginIndex] = [:]
    /// The highest number of connections of a forgotten origin, which may be used again.
    private var forgottenConnections = 0
    /// The origin of the most recent transfer.
    private var last: OriginIndex?
    /// Origins with waiting transfers that may start, in the order of their turns.
    private var turns = Deque<OriginIndex>()
    /// Origins that needed a lookup at their turn.
    private var lookups = Deque<OriginIndex>()
    /// Origins without transfers, oldest first. They may be forgotten.
    private var idle = Deque<IdleMark>()
    private let maximumConnectionsPerHost: Int
    /// The maxima of single origins, by ``OriginKey/origin``.
    private let maximumConnectionsByOrigin: [String: Int]
    /// How long the result of a lookup is used.
    private(set) var lookupLifetime: LookupLifetime

    private(set) var waitingCount = 0
    private var prefersLookup = false

    private struct IdleMark {
        let index: OriginIndex
        let stamp: UInt64
    }

    /// The maximum number of origins without transfers.
    private static let rememberedOrigins = 4096

    init(
        maximumConnectionsPerHost: Int?,
        maximumConnectionsByOrigin: [String: Int] = [:],
        lookupLifetime: Duration
    ) {
        self.maximumConnectionsPerHost = maximumConnectionsPerHost ?? .max
        self.maximumConnectionsByOrigin = maximumConnectionsByOrigin
        self.lookupLifetime = LookupLifetime(lookupLifetime)
    }

    /// Puts a transfer at the end of its origin's queue.
    ///
    /// - Parameter isFirst: Whether it starts before the others instead.
    mutating func enqueue(
        _ transfer: TransferID,
        for key: OriginKey,
        isFirst: Bool = false
    ) -> OriginIndex {
        let index = index(of: key)
        if isFirst {
            origins[index].waiting.prepend(transfer)
        } else {
            origins[index].waiting.append(transfer)
        }
        origins[index].stamp &+= 1
        waitingCount += 1
        takeTurn(index)
        return index
    }

    /// The next transfer to start, or nil if none may start.
    ///
    /// - Parameters:
    ///   - takePlace: Takes one of the places that all loops share.
    ///   - takeLookup: Takes one of the places for name lookups, called only if one is needed.
    ///   - releasePlace: Returns a place that couldn't be used.
    mutating func next(
        now: MonotonicTime,
        takePlace: () -> Permit,
        takeLookup: () -> Permit,
        releasePlace: () -> Void
    ) -> Admission? {
        // Alternate, so that neither resolved nor unresolved names wait forever.
        if prefersLookup,
            let admission = nextWithLookup(now, takePlace, takeLookup, releasePlace)
        {
            prefersLookup = false
            return admission
        }
        if let admission = nextWithoutLookup(now, takePlace) {
            prefersLookup = true
            return admission
        }
        return nextWithLookup(now, takePlace, takeLookup, releasePlace)
    }

    private mutating func nextWithoutLookup(
        _ now: MonotonicTime,
        _ takePlace: () -> Permit
    ) -> Admission? {
        while let index = turns.first {
            guard origins[index].isReady else {
                leaveTurn(index)
                continue
            }
            if origins[index].needsLookup(at: now, lifetime: lookupLifetime.nanoseconds) {
                _ = turns.popFirst()
                lookups.append(index)
                continue
            }
            guard takePlace() == .granted else { return nil }
            _ = turns.popFirst()
            return admit(index, performsLookup: false)
        }
        return nil
    }

    private mutating func nextWithLookup(
        _ now: MonotonicTime,
        _ takePlace: () -> Permit,
        _ takeLookup: () -> Permit,
        _ releasePlace: () -> Void
    ) -> Admission? {
        while let index = lookups.first {
            guard origins[index].isReady,
                !origins[index].isLookupPending
            else {
                origins[index].hasTurn = false
                _ = lookups.popFirst()
                continue
            }
            guard takePlace() == .granted else { return nil }
            guard takeLookup() == .granted else {
                releasePlace()
                return nil
            }
            _ = lookups.popFirst()
            origins[index].isLookupPending = true
            lookupLifetime.lookupStarted(at: now)
            return admit(index, performsLookup: true)
        }
        return nil
    }

    private mutating func admit(_ index: OriginIndex, performsLookup: Bool) -> Admission? {
        origins[index].hasTurn = false
        guard let transfer = origins[index].waiting.popFirst() else { return nil }
        origins[index].active += 1
        assert(waitingCount > 0, "a transfer left the queue that wasn't in it")
        waitingCount -= 1
        takeTurn(index)
        return Admission(
            transfer: transfer,
            origin: index,
            performsLookup: performsLookup,
            mayReuseConnection: origins[index].takeConnection()
        )
    }

    private mutating func leaveTurn(_ index: OriginIndex) {
        _ = turns.popFirst()
        origins[index].hasTurn = false
    }

    /// Records that the transfer with the lookup has a socket or failed.
    mutating func lookupEnded(
        of index: OriginIndex,
        succeeded: Bool,
        now: MonotonicTime
    ) {
        origins[index].isLookupPending = false
        if succeeded { origins[index].resolved = now }
        takeTurn(index)
    }

    /// Records that a started transfer ended.
    mutating func ended(_ index: OriginIndex) {
        assert(origins[index].active > 0, "a transfer ended that wasn't started")
        origins[index].active -= 1
        origins[index].idleConnections += 1
        origins[index].streamLimit.transferEnded()
        takeTurn(index)
        enqueueIfIdle(index)
    }

    /// Removes a waiting transfer from its origin's queue.
    mutating func withdraw(_ transfer: TransferID, from index: OriginIndex) {
        origins[index].waiting.remove(transfer)
        assert(waitingCount > 0, "a transfer left the queue that wasn't in it")
        waitingCount -= 1
        enqueueIfIdle(index)
    }

    /// The HTTP version that the origin is known to speak; nil if unknown.
    func knownVersion(of index: OriginIndex) -> OriginVersion? {
        origins[index].version
    }

    mutating func learn(_ version: OriginVersion, of index: OriginIndex) {
        guard origins[index].version != version else { return }
        origins[index].version = version
        if version == .http1 { origins[index].streamLimit = StreamLimit() }
        takeTurn(index)
    }

    /// The maximum number of connections to the origin; nil for no limit.
    func maximumConnections(of index: OriginIndex) -> Int? {
        let maximum = origins[index].maximumConnections
        return maximum == .max ? nil : maximum
    }

    /// How many of the origin's transfers have started and not ended.
    func activeCount(of index: OriginIndex) -> Int {
        origins[index].active
    }

    /// The origin's connections in the shards of the loop.
    ///
    /// Nil if it shares connections with other origins, as through a proxy, or if its connections
    /// can't be distinguished, as those of a Unix socket.
    func connections(of index: OriginIndex) -> OriginConnections? {
        origins[index].key.route.isEmpty ? origins[index].connections : nil
    }

    /// The origins with at least `minimum` transfers here, those with most first.
    func busyOrigins(minimum: Int) -> [(index: OriginIndex, count: Int)] {
        origins.indices.lazy.map { ($0, self.transferCount(of: $0)) }.filter { $0.1 >= minimum }
            .sorted { $0.1 > $1.1 }
    }

    /// How many of the origin's transfers wait or have started.
    func transferCount(of index: OriginIndex) -> Int {
        origins[index].active + origins[index].waiting.count
    }

    // MARK: Shares of a limit

    /// The origin with this key; nil if it is unknown.
    func knownIndex(of key: OriginKey) -> OriginIndex? {
        indices[key]
    }

    /// This loop's part of the limit of connections to the origin; nil for all of it.
    func share(of index: OriginIndex) -> ConnectionShare? {
        origins[index].share
    }

    /// How many connections to the origin are open, or being opened or closed.
    func connectionCount(of index: OriginIndex) -> Int {
        origins[index].connectionCount
    }

    /// Sets this loop's part of the limit of connections to an origin.
    mutating func setShare(_ share: ConnectionShare?, of key: OriginKey) {
        guard share != nil || indices[key] != nil else { return }
        let index = index(of: key)
        origins[index].share = share
        takeTurn(index)
        enqueueIfIdle(index)
    }

    func streamLimit(of index: OriginIndex) -> StreamLimit {
        origins[index].streamLimit
    }

    mutating func changeStreamLimit(
        of index: OriginIndex,
        _ change: (inout StreamLimit) -> Void
    ) {
        change(&origins[index].streamLimit)
        takeTurn(index)
    }

    /// The origin's announcement of HTTP/3.
    func alternative(of index: OriginIndex) -> AlternativeService {
        origins[index].alternative
    }

    mutating func changeAlternative(
        of index: OriginIndex,
        _ change: (inout AlternativeService) -> Void
    ) {
        change(&origins[index].alternative)
    }

    // MARK: Statistics

    /// Changes what is counted for an origin.
    mutating func changeCounts(of index: OriginIndex, _ change: (inout OriginCounts) -> Void) {
        change(&origins[index].counts)
    }

    /// Calls `body` for each origin that isn't forgotten, in any order.
    func forEachOrigin(_ body: (OriginIndex, Origin) -> Void) {
        for index in indices.values { body(index, origins[index]) }
    }

    // MARK: The table

    private mutating func index(of key: OriginKey) -> OriginIndex {
        // Successive requests usually have the same origin.
        if let last, origins[last].key == key { return last }
        let index = indices[key] ?? add(key)
        last = index
        return index
    }

    private mutating func add(_ key: OriginKey) -> OriginIndex {
        let index: OriginIndex
        let origin = Origin(
            key: key,
            maximumConnections: maximumConnectionsByOrigin[key.origin]
                ?? maximumConnectionsPerHost,
            idleConnections: forgottenConnections
        )
        if let free = freeIndices.popLast() {
            index = free
            let stamp = origins[index].stamp
            origins[index] = origin
            origins[index].stamp = stamp
        } else {
            index = origins.count
            origins.append(origin)
        }
        indices[key] = index
        return index
    }

    private mutating func takeTurn(_ index: OriginIndex) {
        guard !origins[index].hasTurn, !origins[index].waiting.isEmpty else { return }
        origins[index].hasTurn = true
        turns.append(index)
    }

    /// Marks an origin without transfers as idle.
    ///
    /// Forgets the oldest idle origins beyond the limit.
    private mutating func enqueueIfIdle(_ index: OriginIndex) {
        guard origins[index].isIdle else { return }
        origins[index].stamp &+= 1
        guard !origins[index].isQueuedIdle else { return }
        origins[index].isQueuedIdle = true
        idle.append(IdleMark(index: index, stamp: origins[index].stamp))
        while idle.count > Self.rememberedOrigins, let oldest = idle.popFirst() {
            origins[oldest.index].isQueuedIdle = false
            guard origins[oldest.index].isIdle else { continue }
            if origins[oldest.index].stamp == oldest.stamp {
                guard origins[oldest.index].isForgettable else {
                    origins[oldest.index].isQueuedIdle = true
                    idle.append(oldest)
                    return
                }
                indices[origins[oldest.index].key] = nil
                forgottenConnections = max(
                    forgottenConnections,
                    origins[oldest.index].idleConnections
                )
                if last == oldest.index { last = nil }
                freeIndices.append(oldest.index)
            } else {
                enqueueIfIdle(oldest.index)
            }
        }
    }
}

/// A transfer that may start now.
struct Admission: Equatable {
    let transfer: TransferID
    let origin: Scheduler.OriginIndex
    let performsLookup: Bool
    /// False if the origin can't have an idle connection.
    let mayReuseConnection: Bool
}

/// The kind of HTTP version that an origin spoke.
enum OriginVersion: Sendable {
    case http1
    case multiplexed
}
