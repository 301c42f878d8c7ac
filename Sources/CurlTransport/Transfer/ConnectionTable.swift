internal import Curl

/// The facts of connections that are in use again and again, so that not every transfer makes its own.
///
/// One place for each remainder of the local port: where two connections have the same, the later one
/// takes it. Belongs to one loop.
struct ConnectionTable {
    private var places: [ConnectionFacts?] = []
    static let count = 1024

    /// The facts of the connection that `hop` uses, or used; nil without one.
    mutating func facts(of hop: Hop) -> ConnectionFacts? {
        let easy = hop.easy
        return facts(
            remoteAddress: easy.handle.address(.primaryIP),
            remotePort: easy.handle.get(.primaryPort) ?? 0,
            localAddress: easy.handle.address(.localIP),
            localPort: easy.handle.get(.localPort) ?? 0,
            tls: hop.tls
        )
    }

    /// The facts of a connection of which this is known. Ports of zero are none.
    mutating func facts(
        remoteAddress: AddressText,
        remotePort: Int,
        localAddress: AddressText,
        localPort: Int,
        tls: TLSInfo?
    ) -> ConnectionFacts? {
        guard !remoteAddress.isEmpty || !localAddress.isEmpty || tls != nil else { return nil }
        if places.isEmpty { places = Array(repeating: nil, count: Self.count) }
        // The kernel prefers odd numbers, or even ones.
        let place = (localPort >> 1) & (Self.count - 1)
        if let known = places[place], (known.localPort ?? 0) == localPort,
            (known.remotePort ?? 0) == remotePort, known.remoteAddress == remoteAddress,
            known.localAddress == localAddress, known.tls == tls
        {
            return known
        }
        let facts = ConnectionFacts(
            remoteAddress: remoteAddress,
            remotePort: remotePort,
            localAddress: localAddress,
            localPort: localPort,
            tls: tls
        )
        places[place] = facts
        return facts
    }
}
