internal import Posix

/// Identifies transfers that share connections: scheme, host, port and route.
struct OriginKey: Hashable, Sendable {
    /// Scheme, host and port, as in ``Endpoint/identity``.
    let origin: String
    /// The proxy or unix socket; empty for none.
    let route: String
    /// Whether the first transfer needs a name lookup.
    let hasName: Bool
}

/// A scheduler's state of one origin.
struct Origin {
    let key: OriginKey
    /// The maximum number of connections; `Int.max` for no limit.
    let maximumConnections: Int
    var waiting = TransferQueue()
    var active = 0
    var hasTurn = false
    var isQueuedIdle = false
    var isLookupPending = false
    /// When the last lookup succeeded.
    var resolved: MonotonicTime?
    var version: OriginVersion?
    var alternative = AlternativeService()
    var streamLimit = StreamLimit()
    /// Where its attempts and connections are, unless it shares connections with other origins.
    let connections = OriginConnections()
    /// This loop's part of the limit of connections; nil for all of it.
    var share: ConnectionShare?
    /// An upper bound of the idle connections.
    ///
    /// Each transfer that ends may leave one, and each that starts takes one if there is one.
    var idleConnections: Int
    /// What its attempts did, for statistics.
    var counts = OriginCounts()
    /// Changes whenever the origin is used.
    var stamp: UInt64 = 0

    /// The maximum number of concurrent streams on one multiplexed connection.
    static let streamsPerConnection = 100

    init(key: OriginKey, maximumConnections: Int, idleConnections: Int) {
        self.key = key
        self.maximumConnections = maximumConnections
        self.idleConnections = idleConnections
    }

    /// Records a start. Returns whether the transfer may find an open connection.
    mutating func takeConnection() -> Bool {
        guard idleConnections > 0 else { return version == .multiplexed }
        idleConnections -= 1
        return true
    }

    var isIdle: Bool { active == 0 && waiting.isEmpty }

    /// How many connections it has open, or is opening or closing. Those for bytes don't count.
    var connectionCount: Int {
        active + connections.shards.idleCount + connections.closing
    }

    /// Whether the scheduler may forget it while it is idle.
    ///
    /// Its next transfer must find its connections in other shards than the first one.
    var isForgettable: Bool { !connections.shards.isDivided && share == nil }

    /// Whether a transfer waits and the origin's own limit allows it to start.
    var isReady: Bool {
        guard !waiting.isEmpty else { return false }
        let maximumConnections = share?.allowed ?? maximumConnections
        guard version == .multiplexed else {
            return active < streamLimit.allowed(maximumConnections)
        }
        let (streams, overflow) = maximumConnections.multipliedReportingOverflow(
            by: Self.streamsPerConnection
        )
        return active < streamLimit.allowed(overflow ? .max : streams)
    }

    /// - Parameter lifetime: How long the result of a lookup is used, in nanoseconds.
    func needsLookup(at now: MonotonicTime, lifetime: Int64) -> Bool {
        guard key.hasName else { return false }
        guard let resolved else { return true }
        return now >= resolved.advanced(byNanoseconds: lifetime)
    }
}

/// What the attempts to one origin did.
struct OriginCounts {
    /// The attempts that opened a connection.
    var opened = 0
    /// The attempts that used a connection of another one.
    var reused = 0
    /// The attempts whose name lookup failed.
    var failedLookups = 0
}
