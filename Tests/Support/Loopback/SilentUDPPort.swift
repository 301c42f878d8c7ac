internal import CTestSupport
internal import Glibc

/// A UDP port on loopback that accepts datagrams and never answers.
package final class SilentUDPPort: Sendable {
    package let port: Int
    private let socket: Int32
    /// A TCP socket that refuses connections, or -1.
    private let holder: Int32

    /// Binds the UDP port with the number of a TCP server's port. Fails if another program has it.
    package init(_ port: Int) throws {
        socket = ts_bind_udp_ipv4(UInt16(port))
        holder = -1
        self.port = port
        guard socket >= 0 else { throw SystemError("bind") }
    }

    /// Binds any port whose number is free for TCP too; TCP connections to it are refused.
    package init() throws {
        for _ in 0..<100 {
            let holder = ts_hold_port_ipv4()
            guard holder >= 0 else { break }
            let port = ts_local_port(holder)
            let socket = ts_bind_udp_ipv4(UInt16(port))
            if socket >= 0 {
                (self.port, self.socket, self.holder) = (Int(port), socket, holder)
                return
            }
            close(holder)
        }
        throw SystemError("bind")
    }

    deinit {
        close(socket)
        if holder >= 0 { close(holder) }
    }

    /// Whether a datagram has been received.
    package var hasReceived: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
}
