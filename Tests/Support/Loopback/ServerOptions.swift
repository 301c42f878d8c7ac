/// How a `LoopbackServer` listens, and what it records.
package struct ServerOptions: Sendable {
    package enum Address: Sendable {
        case ipv4
        case ipv6
        case unix(path: String)
    }

    package var address: Address = .ipv4
    /// 0 means any free port.
    package var port = 0
    /// Whether requests are recorded. If false, they are only counted.
    package var recordsRequests = true
    /// Bytes of a body beyond this many are counted and discarded. In bytes; 64 MiB by default.
    package var maximumRecordedBody = 64 << 20
    /// The size of the server's send buffer: a small one makes back-pressure visible early.
    package var sendBufferBytes: Int?
    package var receiveBufferBytes: Int?
    /// Whether a handler's requests with `Expect: 100-continue` are answered with 100 before the
    /// body is read.
    package var continuesExpectedBodies = true

    package init() {}
}
