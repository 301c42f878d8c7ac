internal import Glibc

/// What the kernel holds for a socket.
package enum SocketQueue {
    /// Bytes that were written and that the peer hasn't acknowledged yet; 0 where that can't be
    /// told. The corresponding C call is `ioctl` with `SIOCOUTQ`, see `tcp(7)`.
    package static func unsentBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        guard unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }
}
