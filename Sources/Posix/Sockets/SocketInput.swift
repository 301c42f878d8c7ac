internal import CPosix
internal import Glibc

/// The unread input of a socket.
package enum SocketInput {
    /// Whether reading from `descriptor` would not block.
    ///
    /// True if there are bytes, the peer has closed, or the connection has failed. The
    /// corresponding C call is `recv` with `MSG_PEEK`, see `recv(2)`.
    package static func isWaiting(on descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        let count = unsafe recv(descriptor, &byte, 1, flags)
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }

    /// The local port of the socket; nil if there is none.
    ///
    /// The corresponding C function is `getsockname`.
    package static func localPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &length)
            }
        }
        guard code == 0 else { return nil }
        switch Int32(address.ss_family) {
        case AF_INET:
            return unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe Int(UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port))
            }
        case AF_INET6:
            return unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe Int(UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port))
            }
        default:
            return nil
        }
    }
}

/// The kernel's send buffer of a socket.
package enum SocketQueue {
    /// The number of written bytes that the peer hasn't acknowledged; 0 if unknown.
    ///
    /// The corresponding C call is `ioctl` with `SIOCOUTQ`, see `tcp(7)`.
    package static func unsentBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        guard unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }
}

/// The end of one direction of a socket.
package enum SocketEnd {
    /// Closes the sending direction; receiving is still possible.
    ///
    /// The corresponding C function is `shutdown` with `SHUT_WR`.
    package static func finishSending(on descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }
}
