internal import Curl

/// Names what transfers share connections of: scheme, host, port and the way there.
struct OriginKey: Hashable, Sendable {
    /// Scheme, host and port, as ``Endpoint/identity`` has them.
    let origin: String
    /// A proxy or a unix socket, where there is one.
    let route: String
    /// Whether the first transfer has to look a name up.
    let hasName: Bool
}

/// What a scheduler knows of one origin.
struct Origin {
    let key: OriginKey
    var waiting = TransferQueue()
    var active = 0
    var hasTurn = false
    var isResting = false
    var isLookupUnderWay = false
    var resolvedUntil: MonotonicTime?
    var version: OriginVersion?
    /// Never fewer than the connections that wait for another request: each transfer that ends may
    /// leave one behind, and each that starts takes one if there is one.
    var idleConnections: Int
    /// Changes whenever the origin is used.
    var stamp: UInt64 = 0

    /// Streams that are started on one multiplexed connection.
    static let streamsPerConnection = 100

    init(key: OriginKey, idleConnections: Int) {
        self.key = key
        self.idleConnections = idleConnections
    }

    /// A transfer starts. Whether it may find a connection that is open already.
    mutating func takeConnection() -> Bool {
        guard idleConnections > 0 else { return version == .multiplexed }
        idleConnections -= 1
        return true
    }

    var isIdle: Bool { active == 0 && waiting.isEmpty }

    /// Whether a transfer waits and may start as far as the origin's own limit goes.
    func isReady(_ maximumConnections: Int) -> Bool {
        guard !waiting.isEmpty else { return false }
        guard version == .multiplexed else { return active < maximumConnections }
        let (streams, overflow) = maximumConnections.multipliedReportingOverflow(
            by: Self.streamsPerConnection
        )
        return overflow || active < streams
    }

    func needsLookup(at now: MonotonicTime) -> Bool {
        guard key.hasName else { return false }
        guard let resolvedUntil else { return true }
        return now >= resolvedUntil
    }
}
