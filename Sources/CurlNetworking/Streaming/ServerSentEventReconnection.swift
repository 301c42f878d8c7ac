internal import HTTPSemantics

/// The rules for reconnecting to a stream of server-sent events.
///
/// It applies when the stream has ended or its connection was lost.
public struct ServerSentEventReconnection: Sendable, Hashable {
    /// The maximum number of attempts in a row; 10 by default.
    ///
    /// A received line resets the count. A comment counts as a line. A connection that lasted
    /// longer than ``maximumDelay`` also resets the count. After the last attempt the stream fails
    /// with its error, or with `URLError.networkConnectionLost` if there was none.
    public var maximumAttempts: Int
    /// The delay before the first attempt; 3 seconds by default.
    ///
    /// The server may set another one (`retry`). The delay doubles with each attempt.
    public var delay: Duration
    /// The minimum delay, regardless of the server; half a second by default.
    public var minimumDelay: Duration
    /// The maximum delay, regardless of the server; a minute by default.
    public var maximumDelay: Duration
    /// The largest random reduction of a delay; 0.3 by default.
    ///
    /// It is a number from 0 to 1. Clients that were disconnected together then don't reconnect
    /// together.
    public var jitter: Double

    /// Creates rules with the defaults of the properties.
    public init(
        maximumAttempts: Int = 10,
        delay: Duration = .seconds(3),
        minimumDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(60),
        jitter: Double = 0.3
    ) {
        self.maximumAttempts = maximumAttempts
        self.delay = delay
        self.minimumDelay = minimumDelay
        self.maximumDelay = maximumDelay
        self.jitter = jitter
    }

    /// The delay before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt in a row, from 1.
    ///   - wanted: The reconnection time that the server requested.
    ///   - chance: A random number from 0 to 1.
    func delay(attempt: Int, wanted: Duration?, chance: Double) -> Duration {
        ReconnectionDelay(
            first: self.delay,
            minimum: minimumDelay,
            maximum: maximumDelay,
            jitter: jitter
        ).delay(attempt: attempt, wanted: wanted, chance: chance)
    }
}
