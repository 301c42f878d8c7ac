import CurlResilience
import Posix

/// The per-host state: the limits of a host and what its answers have changed. Pure.
struct HostState: Sendable {
    private let policy: HostPolicy
    private var interval: Duration
    private var gate = RateLimiter()
    private var pace: AdaptivePace?
    private var breaker: CircuitBreaker
    /// The host's last failure; `nil` after a success.
    private(set) var lastFailure: BatchFailure?

    init(_ policy: HostPolicy, isAdaptive: Bool, breaker: BreakerPolicy?) {
        self.policy = policy
        interval = policy.interval
        pace = isAdaptive ? AdaptivePace(limit: policy.concurrency) : nil
        self.breaker = CircuitBreaker(breaker?.limits)
    }

    /// The number of URLs that may be in flight now.
    var concurrency: Int {
        let limit = pace.map { min($0.concurrency, policy.concurrency) } ?? policy.concurrency
        return min(limit, breaker.concurrency ?? limit)
    }

    /// Whether the host's answers have changed its limits.
    var hasLearnt: Bool {
        pace.map { $0 != AdaptivePace(limit: policy.concurrency) } ?? false
            || !breaker.hasNoFailures
    }

    /// What the next process with the host must know.
    var handover: HostHandover {
        HostHandover(
            rate: pace.flatMap { $0.isUnlimited ? nil : $0.rate },
            breaker: breaker.hasNoFailures ? nil : breaker.record
        )
    }

    /// Continues after the process that had the host before. If the host had a pause, it has ended.
    mutating func restore(_ handover: HostHandover) {
        if let rate = handover.rate { pace?.restore(rate) }
        if let record = handover.breaker { breaker.restore(record) }
    }

    /// Whether the circuit breaker is open or half-open.
    var isBroken: Bool { breaker.isBroken }

    /// Whether the host must answer its probe before another attempt starts.
    var isProbing: Bool { breaker.isProbing }

    func isGivenUp(at now: MonotonicTime) -> Bool { breaker.isGivenUp(at: now) }

    /// The minimum time between two starts now.
    var minimumInterval: Duration { max(interval, pace?.delay ?? .zero) }

    /// Sets the minimum time between two starts that the host requests.
    mutating func require(interval: Duration) {
        self.interval = max(interval, policy.interval)
    }

    /// Records the start of an attempt; returns when the next may start, `nil` for at once.
    mutating func attemptStarted(at now: MonotonicTime) -> MonotonicTime? {
        breaker.attemptStarted(at: now)
        return requestStarted(at: now)
    }

    /// Records the start of a request that isn't an attempt of a queued URL.
    ///
    /// Returns when the next may start, `nil` for at once.
    mutating func requestStarted(at now: MonotonicTime) -> MonotonicTime? {
        let interval = minimumInterval
        guard interval > .zero else { return nil }
        gate.pass(interval: interval, at: now)
        let next = gate.opens(interval: interval)
        return next > now ? next : nil
    }

    /// Records that the response to the host's probe has begun, and isn't a failure.
    mutating func probeAnswered() { breaker.probeAnswered() }

    /// Records the end of an attempt.
    ///
    /// - Parameters:
    ///   - pause: The pause that the host requested; `nil` for none.
    ///   - isProbe: Whether the attempt is the host's probe, if it has one.
    mutating func attemptEnded(
        _ feedback: HostFeedback,
        _ failure: BatchFailure? = nil,
        pause: Duration? = nil,
        isProbe: Bool = true,
        at now: MonotonicTime
    ) -> CircuitBreaker.Action {
        switch feedback {
        case .failing, .overloaded: lastFailure = failure
        case .healthy: lastFailure = nil
        case .answered: lastFailure = pause == nil ? lastFailure : failure
        case .neutral: break
        }
        pace?.attemptEnded(feedback, at: now)
        return breaker.attemptEnded(feedback, pause: pause, isProbe: isProbe, at: now)
    }
}
