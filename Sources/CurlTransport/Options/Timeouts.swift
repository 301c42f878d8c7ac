/// The time limits of a transfer; nil is no limit.
///
/// The event loop keeps them, to the millisecond. Time that a transfer spends waiting for its turn
/// counts against ``total`` alone. A limit that passes ends the transfer with an error that says
/// which one it was. Zero and negative durations are configuration errors.
public struct Timeouts: Sendable, Hashable {
    /// From the moment a connection is being made until the request can be sent on it: the name
    /// look-up, TCP, the proxy and TLS. 10 seconds unless told otherwise.
    ///
    /// Waiting for a connection that may turn out to carry several requests counts as well.
    public var connect: Duration?

    /// How long no byte may move in either direction. 60 seconds unless told otherwise.
    ///
    /// A transfer that its user has paused isn't idle.
    public var idle: Duration?

    /// From the request having been sent until the first byte of the response. None by default.
    public var firstByte: Duration?

    /// From the start to the end of the transfer, its redirects and its waiting included. None by
    /// default.
    public var total: Duration?

    /// Creates time limits, by default those that suit a service.
    public init(
        connect: Duration? = .seconds(10),
        idle: Duration? = .seconds(60),
        firstByte: Duration? = nil,
        total: Duration? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.firstByte = firstByte
        self.total = total
    }
}
