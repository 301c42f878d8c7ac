package import Posix

/// Both ends of a connection as libcurl reports them. They identify an open connection.
///
/// Without a local address, as on a unix socket, it is empty and its port is 0. libcurl then reports
/// the beginning of the socket's path as the remote address.
package struct ConnectionEnds: Sendable, Equatable {
    package let local: AddressText
    package let localPort: Int
    package let remote: AddressText
    package let remotePort: Int

    package init(
        local: AddressText,
        localPort: Int,
        remote: AddressText,
        remotePort: Int
    ) {
        self.local = local
        self.localPort = localPort
        self.remote = remote
        self.remotePort = remotePort
    }
}

extension ConnectionEnds: Hashable {
    /// The ports alone distinguish nearly all connections of a process.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(localPort << 16 | remotePort)
    }
}
