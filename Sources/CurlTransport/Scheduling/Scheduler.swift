internal import Curl

/// Decides which waiting transfer may start next: a pure value of one loop, without clock or lock.
///
/// Transfers wait in one queue for each origin, and origins take turns, so that one with a long
/// queue or a full house doesn't hold up the others. An origin whose name has to be looked up sends
/// one transfer ahead; the rest of its queue follows once that one has a socket, so that a burst
/// for one new host costs one look-up.
struct Scheduler {
    /// The origin's place in the table, which a transfer keeps.
    typealias OriginIndex = Int

    /// What speaks against starting a transfer now, asked of the loop.
    enum Permit {
        case granted
        case refused
    }

    private var origins: [Origin] = []
    private var freeIndices: [OriginIndex] = []
    private var indices: [OriginKey: OriginIndex] = [:]
    /// As many connections as any origin may have had that was forgotten, and may come back.
    private var forgottenConnections = 0
    /// The origin of the transfer that came last.
    private var last: OriginIndex?
    /// Origins that have waiting transfers and may start one, in the order of their turns.
    private var turns = FIFO<OriginIndex>()
    /// Origins that turned out to need a look-up when their turn came.
    private var lookups = FIFO<OriginIndex>()
    /// Origins without transfers, oldest first, which may be forgotten.
    private var idle = FIFO<IdleMark>()
    private let maximumConnectionsPerHost: Int
    private let lookupLifetime: Int64

    private(set) var waitingCount = 0
    private var prefersLookup = false

    private struct IdleMark {
        let index: OriginIndex
        let stamp: UInt64
    }

    /// How many origins without transfers are remembered.
    private static let rememberedOrigins = 4096

    init(maximumConnectionsPerHost: Int?, lookupLifetime: Duration) {
        self.maximumConnectionsPerHost = maximumConnectionsPerHost ?? .max
        self.lookupLifetime = lookupLifetime.wholeNanoseconds
    }

    /// Puts a transfer at the end of its origin's queue.
    mutating func enqueue(
        _ transfer: TransferID,
        for key: OriginKey
    ) -> OriginIndex {
        let index = index(of: key)
        origins[index].waiting.append(transfer)
        origins[index].stamp &+= 1
        waitingCount += 1
        takeTurn(index)
        return index
    }

    /// The next transfer to start, or nil if none may.
    ///
    /// - Parameters:
    ///   - takePlace: takes one of the places that all loops share.
    ///   - takeLookup: takes one of the places for name look-ups, asked only where one is needed.
    ///   - giveBackPlace: gives back a place that turned out useless.
    mutating func next(
        now: MonotonicTime,
        takePlace: () -> Permit,
        takeLookup: () -> Permit,
        giveBackPlace: () -> Void
    ) -> Admission? {
        // By turns, so that neither a name to look up nor one that is known waits for ever.
        if prefersLookup,
            let admission = nextWithLookup(takePlace, takeLookup, giveBackPlace)
        {
            prefersLookup = false
            return admission
        }
        if let admission = nextWithoutLookup(now, takePlace) {
            prefersLookup = true
            return admission
        }
        return nextWithLookup(takePlace, takeLookup, giveBackPlace)
    }

    private mutating func nextWithoutLookup(
        _ now: MonotonicTime,
        _ takePlace: () -> Permit
    ) -> Admission? {
        while let index = turns.first {
            guard origins[index].isReady(maximumConnectionsPerHost) else {
                leaveTurn(index)
                continue
            }
            if origins[index].needsLookup(at: now) {
                turns.removeFirst()
                lookups.append(index)
                continue
            }
            guard takePlace() == .granted else { return nil }
            turns.removeFirst()
            return admit(index, performsLookup: false)
        }
        return nil
    }

    private mutating func nextWithLookup(
        _ takePlace: () -> Permit,
        _ takeLookup: () -> Permit,
        _ giveBackPlace: () -> Void
    ) -> Admission? {
        while let index = lookups.first {
            guard origins[index].isReady(maximumConnectionsPerHost),
                !origins[index].isLookupUnderWay
            else {
                origins[index].hasTurn = false
                lookups.removeFirst()
                continue
            }
            guard takePlace() == .granted else { return nil }
            guard takeLookup() == .granted else {
                giveBackPlace()
                return nil
            }
            lookups.removeFirst()
            origins[index].isLookupUnderWay = true
            return admit(index, performsLookup: true)
        }
        return nil
    }

    private mutating func admit(_ index: OriginIndex, performsLookup: Bool) -> Admission? {
        origins[index].hasTurn = false
        guard let transfer = origins[index].waiting.popFirst() else { return nil }
        origins[index].active += 1
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
        turns.removeFirst()
        origins[index].hasTurn = false
    }

    /// The transfer that performed the look-up has a socket (or failed: `succeeded` false).
    mutating func lookupEnded(
        of index: OriginIndex,
        succeeded: Bool,
        now: MonotonicTime
    ) {
        origins[index].isLookupUnderWay = false
        if succeeded {
            origins[index].resolvedUntil = now.advanced(byNanoseconds: lookupLifetime)
        }
        takeTurn(index)
    }

    /// A transfer that was started is over.
    mutating func ended(_ index: OriginIndex) {
        origins[index].active -= 1
        origins[index].idleConnections += 1
        takeTurn(index)
        restIfIdle(index)
    }

    /// A transfer that waits in that origin's queue will not be started.
    mutating func withdraw(_ transfer: TransferID, from index: OriginIndex) {
        origins[index].waiting.remove(transfer)
        waitingCount -= 1
        restIfIdle(index)
    }

    /// What is known of the HTTP version that the origin speaks.
    func knownVersion(of index: OriginIndex) -> OriginVersion? {
        origins[index].version
    }

    mutating func learn(_ version: OriginVersion, of index: OriginIndex) {
        guard origins[index].version != version else { return }
        origins[index].version = version
        takeTurn(index)
    }

    // MARK: The table

    private mutating func index(of key: OriginKey) -> OriginIndex {
        // One request after the other for one origin is the rule.
        if let last, origins[last].key == key { return last }
        let index = indices[key] ?? add(key)
        last = index
        return index
    }

    private mutating func add(_ key: OriginKey) -> OriginIndex {
        let index: OriginIndex
        if let free = freeIndices.popLast() {
            index = free
            let stamp = origins[index].stamp
            origins[index] = Origin(key: key, idleConnections: forgottenConnections)
            origins[index].stamp = stamp
        } else {
            index = origins.count
            origins.append(Origin(key: key, idleConnections: forgottenConnections))
        }
        indices[key] = index
        return index
    }

    private mutating func takeTurn(_ index: OriginIndex) {
        guard !origins[index].hasTurn, !origins[index].waiting.isEmpty else { return }
        origins[index].hasTurn = true
        turns.append(index)
    }

    /// Remembers an origin that has nothing to do for a while, and forgets the oldest of them.
    private mutating func restIfIdle(_ index: OriginIndex) {
        guard origins[index].isIdle else { return }
        origins[index].stamp &+= 1
        guard !origins[index].isResting else { return }
        origins[index].isResting = true
        idle.append(IdleMark(index: index, stamp: origins[index].stamp))
        while idle.count > Self.rememberedOrigins, let oldest = idle.popFirst() {
            origins[oldest.index].isResting = false
            guard origins[oldest.index].isIdle else { continue }
            if origins[oldest.index].stamp == oldest.stamp {
                indices[origins[oldest.index].key] = nil
                forgottenConnections = max(
                    forgottenConnections,
                    origins[oldest.index].idleConnections
                )
                if last == oldest.index { last = nil }
                freeIndices.append(oldest.index)
            } else {
                restIfIdle(oldest.index)
            }
        }
    }
}

/// A transfer that may start now.
struct Admission: Equatable {
    let transfer: TransferID
    let origin: Scheduler.OriginIndex
    let performsLookup: Bool
    /// False where no connection to the origin can be waiting.
    let mayReuseConnection: Bool
}

/// What an origin was seen to speak.
enum OriginVersion: Sendable {
    case http1
    case multiplexed
}
