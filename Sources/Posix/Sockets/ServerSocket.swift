internal import CPosix
internal import Glibc

/// Sockets of a server for tests. None of the calls blocks.
package enum ServerSocket {
    /// Where a server listens. Port 0 means any free port.
    package enum Address: Sendable {
        case ipv4(port: UInt16)
        case ipv6(port: UInt16)
        case unix(path: String)
    }

    /// Listens on a loopback address, or on a path.
    package static func listen(on address: Address) throws(SystemFailure) -> Int32 {
        let descriptor =
            switch address {
            case .ipv4(let port): cposix_listen_ipv4(port)
            case .ipv6(let port): cposix_listen_ipv6(port)
            case .unix(let path): unsafe cposix_listen_on_path(path)
            }
        guard descriptor >= 0 else { throw SystemFailure("listen", errno: errno) }
        return descriptor
    }

    /// The result of ``accept(_:)``.
    package enum Accepted: Sendable {
        case connection(Int32)
        case noneIsPending
        /// This process, or the system, has no descriptor left.
        case lacksDescriptors
    }

    /// Accepts the next pending connection, without Nagle's delay.
    package static func accept(_ listener: Int32) -> Accepted {
        let descriptor = cposix_accept(listener)
        guard descriptor >= 0 else {
            return errno == EMFILE || errno == ENFILE ? .lacksDescriptors : .noneIsPending
        }
        set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1, of: descriptor)
        return .connection(descriptor)
    }

    /// Sets the size of the kernel's send buffer, in bytes; the kernel doubles it.
    package static func setSendBuffer(of descriptor: Int32, to bytes: Int) {
        set(SOL_SOCKET, SO_SNDBUF, to: Int32(clamping: bytes), of: descriptor)
    }

    /// Sets the size of the kernel's receive buffer, in bytes; the kernel doubles it.
    package static func setReceiveBuffer(of descriptor: Int32, to bytes: Int) {
        set(SOL_SOCKET, SO_RCVBUF, to: Int32(clamping: bytes), of: descriptor)
    }

    /// Waits until the peer of one of these connections has closed it, or until the time is over.
    ///
    /// Returns the others.
    package static func stillOpen(of connections: [Int32], after milliseconds: Int32) -> [Int32] {
        // POLLRDHUP has the same value, but Swift can't import it.
        let closed = Int16(truncatingIfNeeded: EPOLLRDHUP.rawValue)
        var polled = connections.map { pollfd(fd: $0, events: closed, revents: 0) }
        _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
        return polled.filter { $0.revents == 0 }.map(\.fd)
    }

    /// Closes a connection with a reset.
    package static func reset(_ descriptor: Int32) { cposix_reset(descriptor) }

    /// Closes a socket.
    package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    /// Removes the file of a unix socket.
    package static func remove(path: String) { _ = unsafe unlink(path) }

    /// Binds a port of 127.0.0.1 on which no server listens, until the process ends.
    package static func holdPort() throws(SystemFailure) -> Int {
        let descriptor = cposix_hold_port()
        guard descriptor >= 0, let port = SocketInput.localPort(of: descriptor) else {
            throw SystemFailure("bind", errno: errno)
        }
        return port
    }

    private static func set(_ level: Int32, _ option: Int32, to value: Int32, of descriptor: Int32)
    {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, level, option, &value, size)
    }
}
