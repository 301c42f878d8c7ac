/// What a `LoopbackServer` has observed of one connection.
public struct LoopbackConnection: Sendable {
    /// Why a connection is closed, as the server saw it.
    public enum Ending: Sendable {
        /// The script ended, or closed or reset the connection.
        case server
        /// The peer closed or reset it first.
        case peer
        /// The server was stopped.
        case stop
    }

    /// The number of request heads that were read.
    public internal(set) var requestCount = 0
    /// The bytes that the kernel has accepted from the server: those that the peer has received,
    /// and those in the two socket buffers.
    public internal(set) var bytesSent = 0
    /// The number of bytes that were read.
    public internal(set) var bytesReceived = 0
    /// Why the connection has ended; nil while it is open.
    public internal(set) var ending: Ending?
    /// When the server noticed the end.
    public internal(set) var endedAt: ContinuousClock.Instant?
    /// Whether the server has bytes to send and the peer accepts none.
    public internal(set) var isBlocked = false

    /// Whether the connection hasn't ended.
    public var isOpen: Bool { ending == nil }

    /// The longest delay between connections: bytes may arrive this much later than bytes that are
    /// sent after them on another connection. On a busy machine each CPU delivers the bytes sent on
    /// it at its own pace.
    package static let overtaking = Duration.seconds(1)

    /// Whether the peer may have closed the connection by `time`, although the server noticed it
    /// later.
    package func wasGivenUp(by time: ContinuousClock.Instant) -> Bool {
        guard ending == .peer, let endedAt else { return false }
        return endedAt - time < Self.overtaking
    }
}
