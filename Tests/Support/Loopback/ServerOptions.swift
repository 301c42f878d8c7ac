/// How a `LoopbackServer` listens and what it keeps.
package struct ServerOptions: Sendable {
    package enum Address: Sendable {
        case ipv4
        case ipv6
        case unix(path: String)
    }

    package var address: Address = .ipv4
    /// 0 asks for a free port.
    package var port = 0
    /// Requests are kept for tests to look at. Off, only their count is.
    package var recordsRequests = true
    /// More of a body than this is counted and forgotten.
    package var maximumRecordedBody = 64 << 20
    /// The size of the server's socket buffer: small ones make back-pressure visible early.
    package var sendBufferBytes: Int?
    package var receiveBufferBytes: Int?
    /// A handler's requests with `Expect: 100-continue` are told to continue before the body
    /// is read.
    package var continuesExpectedBodies = true

    package init() {}
}
