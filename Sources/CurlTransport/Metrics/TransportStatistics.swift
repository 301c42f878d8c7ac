/// What a transport's origins and event loops do at one moment.
///
/// Each loop reads its numbers in its own turn. So a request that moves from one state
/// to the next may be missing from them, or appear twice.
public struct TransportStatistics: Sendable, Hashable {
    /// The origins that the transport knows, sorted by name.
    ///
    /// An origin without requests may be forgotten if a loop knows more than 4,096 of them.
    public var origins: [OriginStatistics]

    /// The event loops, in the order of their numbers. Empty if the transport has ended.
    public var loops: [LoopStatistics]

    /// Creates statistics from values, for stubs.
    public init(origins: [OriginStatistics] = [], loops: [LoopStatistics] = []) {
        self.origins = origins
        self.loops = loops
    }
}

extension TransportStatistics {
    /// Adds up the snapshots of loops.
    init(_ snapshots: [LoopSnapshot]) {
        var sums: [String: OriginStatistics] = [:]
        for snapshot in snapshots {
            for origin in snapshot.origins { sums[origin.origin, default: .empty].add(origin) }
        }
        self.init(
            origins: sums.values.sorted { $0.origin < $1.origin },
            loops: snapshots.map(\.loop)
        )
    }
}

/// The requests and connections of one origin.
public struct OriginStatistics: Sendable, Hashable {
    /// Scheme, host and port, such as `https://api.example:443`.
    public var origin: String

    /// The number of requests that have started and not ended.
    public var active = 0

    /// The number of requests in the queue.
    public var waiting = 0

    /// How long the request that was queued first has been in the queue; nil if none waits.
    public var oldestWait: Duration?

    /// The number of established connections with at least one request.
    ///
    /// A connection over HTTP/2 or HTTP/3 counts once, however many requests it has. A connection
    /// that is being opened doesn't count, nor does one of a WebSocket or a ``ByteConnection``.
    /// Connections that several origins may share, through a proxy or to a Unix socket, count in
    /// ``LoopStatistics/activeConnections`` only.
    public var activeConnections = 0

    /// The number of connections without a request.
    ///
    /// It includes connections that the server has closed and that the client hasn't used since.
    /// Connections that several origins may share, through a proxy or to a Unix socket, count in
    /// ``LoopStatistics/idleConnections`` only.
    public var idle = 0

    /// How many requests have opened a connection since the origin is known.
    public var opened = 0

    /// How many requests have used a connection that another one had opened.
    ///
    /// A redirect or a retry counts as another request, here and in ``opened``.
    public var reused = 0

    /// How many requests have failed because the name of the host or the proxy wasn't resolved.
    public var failedLookups = 0

    /// Creates the statistics of an origin without requests, for stubs.
    public init(origin: String) {
        self.origin = origin
    }
}

extension OriginStatistics {
    fileprivate static let empty = Self(origin: "")

    /// Adds the numbers of the same origin on another loop or through another proxy.
    fileprivate mutating func add(_ other: Self) {
        origin = other.origin
        active += other.active
        waiting += other.waiting
        oldestWait = [oldestWait, other.oldestWait].compactMap { $0 }.max()
        activeConnections += other.activeConnections
        idle += other.idle
        opened += other.opened
        reused += other.reused
        failedLookups += other.failedLookups
    }
}

/// The load of one event loop.
public struct LoopStatistics: Sendable, Hashable {
    /// The loop's number, from zero. It is in the name of its thread.
    public var index: Int

    /// The number of requests of the loop, active and waiting.
    public var transfers = 0

    /// The number of established connections with at least one request, to all origins.
    ///
    /// It counts as ``OriginStatistics/activeConnections`` does.
    public var activeConnections = 0

    /// The number of connections without a request, to all origins.
    public var idleConnections = 0

    /// How long the loop has been running.
    public var age = Duration.zero

    /// The processor time that the loop's thread has used.
    public var busyTime = Duration.zero

    /// Whether the loop has answered in time.
    ///
    /// Otherwise the other values, and those of its origins, are of its last answer: zero if there
    /// was none. See ``Transport/statistics(within:)``.
    public var isResponsive = true

    /// Creates the statistics of a new loop, for stubs.
    public init(index: Int) {
        self.index = index
    }

    /// Which part of the time the loop was busy, from 0 to 1.
    ///
    /// A loop that is near 1 needs help: see ``TransportConfiguration/eventLoopCount``. It is 1 if the
    /// loop isn't responsive, though a blocked thread uses no processor time.
    ///
    /// - Parameter earlier: earlier statistics of the same loop, with which the time begins; nil
    ///   for the loop's start.
    public func busyShare(since earlier: LoopStatistics? = nil) -> Double {
        guard isResponsive else { return 1 }
        let time = age - (earlier?.age ?? .zero)
        guard time > .zero else { return 0 }
        return min(1, max(0, (busyTime - (earlier?.busyTime ?? .zero)) / time))
    }
}

/// The statistics of one loop, as its thread reports them.
///
/// A class, because Swift's verifier rejects what the optimiser of 6.3 makes of closures that take
/// such a large value (`.ci/verify-sil`).
final class LoopSnapshot: Sendable {
    let loop: LoopStatistics
    let origins: [OriginStatistics]

    init(loop: LoopStatistics, origins: [OriginStatistics]) {
        self.loop = loop
        self.origins = origins
    }
}
