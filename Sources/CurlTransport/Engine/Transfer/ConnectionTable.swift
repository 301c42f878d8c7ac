internal import Curl
internal import Posix

/// A cache of the facts about reused connections, so that transfers share them.
///
/// Half the local port, modulo the size, is a connection's slot. If two connections have the same
/// slot, the later one replaces the earlier. Belongs to one loop.
struct ConnectionTable {
    private var places: [ConnectionInfo?] = []
    static let count = 1024

    /// The facts about the connection of `attempt`; nil without a connection.
    mutating func info(of attempt: TransferAttempt) -> ConnectionInfo? {
        let easy = attempt.easy
        return info(
            remoteAddress: easy.handle.address(.primaryIP),
            remotePort: easy.handle.get(.primaryPort) ?? 0,
            localAddress: easy.handle.address(.localIP),
            localPort: easy.handle.get(.localPort) ?? 0,
            tls: attempt.connection.tls
        )
    }

    /// The facts about a connection with these properties. A port of zero means none.
    mutating func info(
        remoteAddress: AddressText,
        remotePort: Int,
        localAddress: AddressText,
        localPort: Int,
        tls: TLSInfo?
    ) -> ConnectionInfo? {
        guard !remoteAddress.isEmpty || !localAddress.isEmpty || tls != nil else { return nil }
        if places.isEmpty { places = Array(repeating: nil, count: Self.count) }
        // The kernel prefers odd numbers, or even ones, so the lowest bit is ignored.
        let place = (localPort >> 1) & (Self.count - 1)
        if let known = places[place], (known.localPort ?? 0) == localPort,
            (known.remotePort ?? 0) == remotePort, known.remoteAddress == remoteAddress,
            known.localAddress == localAddress, known.tls == tls
        {
            return known
        }
        let info = ConnectionInfo(
            remoteAddress: remoteAddress,
            remotePort: remotePort,
            localAddress: localAddress,
            localPort: localPort,
            tls: tls
        )
        places[place] = info
        return info
    }
}
