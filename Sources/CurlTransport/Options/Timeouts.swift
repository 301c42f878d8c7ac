internal import Posix

/// The timeouts of a transfer; nil means none.
///
/// The event loop enforces them with millisecond precision. Time in the transport's queue counts
/// only for ``queue`` and ``total``. When a timeout passes, the transfer fails with an error that
/// tells which one it was. Zero and negative durations are configuration errors.
public struct Timeouts: Sendable, Hashable {
    /// The time to establish a connection. Default: 10 seconds.
    ///
    /// It includes the name lookup, TCP, the proxy and TLS. It also includes waiting for a
    /// connection that may be able to multiplex.
    public var connect: Duration?

    /// The longest time without a byte in either direction. Default: 60 seconds.
    ///
    /// A transfer that its user has paused isn't idle.
    public var idle: Duration?

    /// The time from the sent request to the response's first byte. Default: none.
    public var firstByte: Duration?

    /// The time from start to end, including redirects and the queue. Default: none.
    public var total: Duration?

    /// The longest time in the transport's queue. Default: none.
    ///
    /// A request is queued if ``TransportConfiguration/maximumConnections`` or
    /// ``TransportConfiguration/maximumConnectionsPerHost`` is reached, or until a name lookup is
    /// available. The request of a redirect is queued again, with the same timeout. The error is
    /// ``TransportError/Code/poolTimeout``; the queued request hasn't been sent.
    public var queue: Duration?

    /// Creates timeouts. The defaults suit a service.
    public init(
        connect: Duration? = .seconds(10),
        idle: Duration? = .seconds(60),
        firstByte: Duration? = nil,
        total: Duration? = nil,
        queue: Duration? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.firstByte = firstByte
        self.total = total
        self.queue = queue
    }
}

/// ``Timeouts`` in nanoseconds, as the loop compares them; nil means no limit.
struct TimeLimits: Sendable {
    let connect: Int64?
    let idle: Int64?
    let firstByte: Int64?
    let total: Int64?
    let queue: Int64?

    init(_ timeouts: Timeouts) {
        connect = timeouts.connect?.wholeNanoseconds
        idle = timeouts.idle?.wholeNanoseconds
        firstByte = timeouts.firstByte?.wholeNanoseconds
        total = timeouts.total?.wholeNanoseconds
        queue = timeouts.queue?.wholeNanoseconds
    }
}
