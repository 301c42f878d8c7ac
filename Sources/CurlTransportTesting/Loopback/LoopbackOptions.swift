/// How a `LoopbackServer` listens, and what it records.
public struct LoopbackOptions: Sendable {
    /// Where a server listens.
    public enum Address: Sendable {
        /// On 127.0.0.1.
        case ipv4
        /// On ::1.
        case ipv6
        /// On a unix socket, which is removed when the server stops.
        case unix(path: String)
    }

    /// Where the server listens. Default: 127.0.0.1.
    public var address: Address = .ipv4
    /// The port; 0, the default, means any free one.
    public var port = 0
    /// Whether requests are recorded. If false, they are only counted.
    public var recordsRequests = true
    /// Bytes of a body beyond this many are counted and discarded. In bytes; 64 MiB by default.
    public var maximumRecordedBody = 64 << 20
    /// The size of the server's send buffer: a small one makes back-pressure visible early.
    public var sendBufferBytes: Int?
    /// The size of the server's receive buffer in bytes; nil for the system's default.
    public var receiveBufferBytes: Int?
    /// Whether a handler's requests with `Expect: 100-continue` are answered with 100 before the
    /// body is read.
    public var continuesExpectedBodies = true

    /// The number of connections that clients may have at once; nil means any.
    ///
    /// ``LoopbackServer/excessConnectionCount`` says whether they had more.
    public var connectionLimit: Int?

    /// Creates options with the defaults.
    public init() {}
}
