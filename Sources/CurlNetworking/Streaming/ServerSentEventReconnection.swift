/// Whether, when and how often a stream of server-sent events is connected with again when it has ended or
/// its connection was lost.
public struct ServerSentEventReconnection: Sendable, Hashable {
    /// How often it is tried in a row without any line in between, be it a comment; 10 by default. A
    /// connection that has lived for longer than ``maximumDelay`` ends the row, too. Then the stream
    /// fails with the last error, or `URLError.networkConnectionLost` if there was none.
    public var maximumAttempts: Int
    /// How long it takes until it is tried the first time, unless the server says otherwise (`retry`);
    /// 3 seconds by default. It doubles with each attempt.
    public var delay: Duration
    /// How long it takes at least, whatever the server says; half a second by default.
    public var minimumDelay: Duration
    /// How long it takes at most, whatever the server says; a minute by default.
    public var maximumDelay: Duration
    /// Up to which part of the time is left out by chance, from 0 to 1, so that clients that were
    /// disconnected together don't come back together; 0.3 by default.
    public var jitter: Double

    /// Creates rules; what isn't said is as usual.
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

    /// How long to wait before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: Which one it is in a row, from 1.
    ///   - wanted: What the server has said.
    ///   - chance: From 0 to 1.
    func delay(attempt: Int, wanted: Duration?, chance: Double) -> Duration {
        let doublings = min(max(attempt - 1, 0), 20)
        let full = min((wanted ?? delay) * (1 << doublings), maximumDelay)
        let left = full * (1 - min(max(jitter, 0), 1) * min(max(chance, 0), 1))
        return max(left, min(minimumDelay, maximumDelay), .zero)
    }
}
