internal import Glibc

/// The end of one direction of a socket.
package enum SocketEnd {
    /// Tells the peer that nothing more will be sent, while bytes can still be received.
    /// The corresponding C function is `shutdown` with `SHUT_WR`.
    package static func finishSending(on descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }
}
