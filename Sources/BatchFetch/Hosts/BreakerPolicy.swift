import CurlResilience

/// When the circuit breaker stops requests to a host that keeps failing or asking for pauses.
public struct BreakerPolicy: Sendable, Hashable {
    /// Consecutive failures that open the breaker; 20 by default.
    ///
    /// Lost connections, timeouts and the statuses 408, 429, 500, 502, 503 and 504 count, except
    /// those with a `Retry-After` of more than zero, which ``waits`` limits.
    public var threshold: Int
    /// The first pause; 5 s by default. After it one URL is tried; each failure doubles the pause.
    public var pause: Duration
    /// The maximum pause; 300 s by default.
    public var maximumPause: Duration
    /// Consecutive pauses after which the breaker gives up; 3 by default.
    ///
    /// All queued URLs of the host then fail with the code `host_unavailable`, as do new ones until
    /// the last pause ends. Any answer that isn't a failure resets the count.
    public var rounds: Int
    /// Consecutive pauses requested by the host after which the breaker gives up; 10 by default.
    ///
    /// A host requests a pause with a status such as 429 or 503 and a `Retry-After` of more than
    /// zero. After the pause one URL is tried first, and the others once it is answered without
    /// another request for a pause. If the host has requested this many pauses without a success
    /// and requests another one, all its queued URLs fail with the code `host_unavailable`, as do
    /// new ones until ``maximumPause`` is over.
    public var waits: Int

    /// Creates a policy.
    public init(
        threshold: Int = 20,
        pause: Duration = .seconds(5),
        maximumPause: Duration = .seconds(300),
        rounds: Int = 3,
        waits: Int = 10
    ) {
        self.threshold = max(1, threshold)
        self.pause = pause
        self.maximumPause = maximumPause
        self.rounds = max(1, rounds)
        self.waits = max(1, waits)
    }
}

extension BreakerPolicy {
    /// The same policy, as the breaker takes it.
    var limits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            threshold: threshold,
            pause: pause,
            maximumPause: maximumPause,
            rounds: rounds,
            waits: waits
        )
    }
}

/// A state change of a host's circuit breaker.
enum BreakerChange: Sendable, Hashable {
    /// The host gets no requests for a while.
    case opened
    /// The host's queued URLs fail without a request.
    case gaveUp
    /// The host has responded again.
    case closed
}
