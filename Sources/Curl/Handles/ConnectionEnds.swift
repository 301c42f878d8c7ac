package import Posix

/// Both ends of a connection as libcurl reports them. They identify an open connection.
///
/// Without a local address, as on a unix socket, it is empty and its port is 0. libcurl then reports
/// the beginning of the socket's path as the remote address.
package struct ConnectionEnds: Sendable, Equatable {
    package let local: AddressText
    package let remote: AddressText

    /// Both ports in one number. It alone distinguishes nearly all connections of a process.
    package let ports: UInt32

    package var localPort: Int { Int(ports >> 16) }
    package var remotePort: Int { Int(ports & 0xffff) }

    package init(
        local: AddressText,
        localPort: UInt16,
        remote: AddressText,
        remotePort: UInt16
    ) {
        self.local = local
        self.remote = remote
        ports = UInt32(localPort) << 16 | UInt32(remotePort)
    }
}
