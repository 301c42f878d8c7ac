import Posix

/// The per-host state: the limits of a host and what its answers have changed. Pure.
struct HostState: Sendable {
    private let policy: HostPolicy
    private var interval: Duration
    private var gate = RateLimiter()
    private var pace: AdaptivePace?
    private var breaker: CircuitBreaker?
    /// The host's last failure; `nil` after a success.
    private(set) var lastFailure: BatchFailure?

    init(_ policy: HostPolicy, isAdaptive: Bool, breaker: BreakerPolicy?) {
        self.policy = policy
        interval = policy.interval
        pace = isAdaptive ? AdaptivePace(limit: policy.concurrency) : nil
        self.breaker = breaker.map { CircuitBreaker($0) }
    }

    /// The number of URLs that may be in flight now.
    var concurrency: Int {
        let limit = pace.map { min($0.concurrency, policy.concurrency) } ?? policy.concurrency
        return min(limit, breaker?.concurrency ?? limit)
    }

    /// Whether the host's answers have changed its limits.
    var hasLearnt: Bool {
        pace.map { $0 != AdaptivePace(limit: policy.concurrency) } ?? false
            || breaker?.hasNoFailures == false
    }

    /// Whether the circuit breaker is open or half-open.
    var isBroken: Bool { breaker?.concurrency != nil }

    func isGivenUp(at now: MonotonicTime) -> Bool { breaker?.isGivenUp(at: now) ?? false }

    /// Sets the minimum time between two starts that the host requests.
    mutating func require(interval: Duration) {
        self.interval = max(interval, policy.interval)
    }

    /// Records the start of an attempt; returns when the next may start, `nil` for at once.
    mutating func attemptStarted(at now: MonotonicTime) -> MonotonicTime? {
        breaker?.attemptStarted(at: now)
        let interval = max(self.interval, pace?.delay ?? .zero)
        guard interval > .zero else { return nil }
        gate.pass(interval: interval, at: now)
        let next = gate.opens(interval: interval)
        return next > now ? next : nil
    }

    /// Records the end of an attempt.
    mutating func attemptEnded(
        _ feedback: HostFeedback,
        _ failure: BatchFailure? = nil,
        at now: MonotonicTime
    ) -> CircuitBreaker.Action {
        switch feedback {
        case .failing: lastFailure = failure
        case .healthy: lastFailure = nil
        case .answered, .overloaded, .neutral: break
        }
        pace?.attemptEnded(feedback, at: now)
        return breaker?.attemptEnded(feedback, at: now) ?? .none
    }
}

/// The host feedback from the end of an attempt.
enum HostFeedback: Sendable, Hashable {
    /// The request succeeded; the first byte came after this time.
    case healthy(Duration)
    /// The host answered, but that doesn't raise the rate.
    case answered
    /// The host asked for fewer requests.
    case overloaded
    /// The host failed or couldn't be reached.
    case failing
    /// No information: the attempt ended for a reason on the client's side.
    case neutral
}
