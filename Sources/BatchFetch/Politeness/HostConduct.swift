import Curl

/// How one host is treated: its limits, and what its answers have changed about them. Pure.
struct HostConduct: Sendable {
    private let policy: HostPolicy
    private var interval: Duration
    private var gate = PaceGate()
    private var pace: AdaptivePace?
    private var breaker: CircuitBreaker?
    /// Why it failed the last time, since it last did what it was asked for.
    private(set) var lastFailure: BatchFailure?

    init(_ policy: HostPolicy, isAdaptive: Bool, breaker: BreakerPolicy?) {
        self.policy = policy
        interval = policy.interval
        pace = isAdaptive ? AdaptivePace(limit: policy.concurrency) : nil
        self.breaker = breaker.map { CircuitBreaker($0) }
    }

    /// The most that may be in flight now.
    var concurrency: Int {
        let limit = pace.map { min($0.concurrency, policy.concurrency) } ?? policy.concurrency
        return min(limit, breaker?.concurrency ?? limit)
    }

    /// Whether the host's answers have changed anything that later URLs of it should be treated by.
    var hasLearnt: Bool {
        pace.map { $0 != AdaptivePace(limit: policy.concurrency) } ?? false
            || breaker?.isUntroubled == false
    }

    /// Whether the host is left alone, or tried with one attempt.
    var isBroken: Bool { breaker?.concurrency != nil }

    func isGivenUp(at now: MonotonicTime) -> Bool { breaker?.isGivenUp(at: now) ?? false }

    /// The host asks for at least so long between two starts.
    mutating func require(interval: Duration) {
        self.interval = max(interval, policy.interval)
    }

    /// An attempt begins. Returns when the next one may; nil for at once.
    mutating func attemptStarted(at now: MonotonicTime) -> MonotonicTime? {
        breaker?.attemptStarted(at: now)
        let interval = max(self.interval, pace?.delay ?? .zero)
        guard interval > .zero else { return nil }
        gate.pass(interval: interval, at: now)
        let next = gate.opens(interval: interval)
        return next > now ? next : nil
    }

    /// An attempt has ended.
    mutating func attemptEnded(
        _ sign: HostSign,
        _ failure: BatchFailure? = nil,
        at now: MonotonicTime
    ) -> CircuitBreaker.Action {
        switch sign {
        case .failing: lastFailure = failure
        case .healthy: lastFailure = nil
        case .answered, .overloaded, .neutral: break
        }
        pace?.attemptEnded(sign, at: now)
        return breaker?.attemptEnded(sign, at: now) ?? .none
    }
}
