/// When a host that only fails is left alone.
public struct BreakerPolicy: Sendable, Hashable {
    /// After so many failures in a row (lost connections, time limits, 408, 500, 502, 503, 504; and 429
    /// without `Retry-After`).
    public var threshold: Int
    /// For so long; then one URL is tried, and if that fails too, for twice as long, and so on.
    public var pause: Duration
    /// Never longer than this.
    public var maximumPause: Duration
    /// After so many pauses without a success between them, all URLs of the host fail with the code
    /// `host_unavailable`, until the last pause is over.
    public var rounds: Int

    /// Creates a policy.
    public init(
        threshold: Int = 20,
        pause: Duration = .seconds(5),
        maximumPause: Duration = .seconds(300),
        rounds: Int = 3
    ) {
        self.threshold = max(1, threshold)
        self.pause = pause
        self.maximumPause = maximumPause
        self.rounds = max(1, rounds)
    }
}
