package import Curl
package import Posix

/// The facts about a connection in ``TransferMetrics``. Its transfers share one object.
package final class ConnectionInfo: Sendable, Hashable {
    package let remoteAddress: AddressText
    package let remotePort: Int?
    package let localAddress: AddressText
    package let localPort: Int?
    package let tls: TLSInfo?

    package init(
        remoteAddress: AddressText = AddressText(),
        remotePort: Int? = nil,
        localAddress: AddressText = AddressText(),
        localPort: Int? = nil,
        tls: TLSInfo? = nil
    ) {
        self.remoteAddress = remoteAddress
        self.remotePort = remoteAddress.isEmpty ? nil : remotePort
        self.localAddress = localAddress
        self.localPort = localAddress.isEmpty ? nil : localPort
        self.tls = tls
    }

    package static func == (lhs: ConnectionInfo, rhs: ConnectionInfo) -> Bool {
        lhs === rhs
            || (lhs.localPort == rhs.localPort && lhs.remotePort == rhs.remotePort
                && lhs.remoteAddress == rhs.remoteAddress
                && lhs.localAddress == rhs.localAddress && lhs.tls == rhs.tls)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(remoteAddress)
        hasher.combine(remotePort)
        hasher.combine(localAddress)
        hasher.combine(localPort)
        hasher.combine(tls)
    }
}
