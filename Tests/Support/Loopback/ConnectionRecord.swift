/// What a `LoopbackServer` has seen of one connection.
package struct ConnectionRecord: Sendable {
    /// Why a connection is closed, as the server saw it.
    package enum Ending: Sendable {
        /// The script came to its end, or closed or reset the connection.
        case server
        /// The peer closed or reset it first.
        case peer
        /// The server was stopped.
        case stop
    }

    package internal(set) var requestCount = 0
    /// What the kernel has taken from the server: what the peer has got, and what lies in the
    /// two socket buffers.
    package internal(set) var bytesSent = 0
    package internal(set) var bytesReceived = 0
    package internal(set) var ending: Ending?
    /// When the server noticed that.
    package internal(set) var endedAt: ContinuousClock.Instant?
    /// Whether the server wants to send and the peer takes nothing.
    package internal(set) var isBlocked = false

    package var isOpen: Bool { ending == nil }
}
