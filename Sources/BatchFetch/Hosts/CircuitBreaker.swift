import Posix

/// When the circuit breaker stops requests to a host that keeps failing.
public struct BreakerPolicy: Sendable, Hashable {
    /// Consecutive failures that open the breaker; 20 by default.
    ///
    /// Lost connections, timeouts and the statuses 408, 429, 500, 502, 503 and 504 count, except
    /// 429 and 503 with a `Retry-After` of more than zero.
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

/// Stops requests to a host that keeps failing.
///
/// After several consecutive failures it pauses the host, then allows one attempt; if that fails
/// too, it doubles the pause. After several rounds it gives up on the host for the last pause.
/// Pure: the caller passes the current time.
struct CircuitBreaker: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case closed(failures: Int)
        /// No attempt starts before this time.
        case open(until: MonotonicTime, round: Int)
        /// One attempt probes the host.
        case halfOpen(round: Int)
    }

    /// What the caller does with the host.
    enum Action: Sendable, Hashable {
        case none
        /// Start no attempt before this time.
        case hold(until: MonotonicTime)
        /// Fail all queued URLs, and start no attempt before this time.
        case giveUp(until: MonotonicTime)
    }

    private let policy: BreakerPolicy
    private var state = State.closed(failures: 0)

    init(_ policy: BreakerPolicy) {
        self.policy = policy
    }

    /// The concurrency limit of the breaker; `nil` for none.
    var concurrency: Int? {
        if case .closed = state { nil } else { 1 }
    }

    /// Whether the host hasn't failed since its last answer.
    var hasNoFailures: Bool {
        if case .closed(failures: 0) = state { true } else { false }
    }

    /// Whether the breaker has given up on the host.
    func isGivenUp(at now: MonotonicTime) -> Bool {
        guard case .open(let end, let round) = state else { return false }
        return round >= policy.rounds && now < end
    }

    /// Records the start of an attempt.
    mutating func attemptStarted(at now: MonotonicTime) {
        guard case .open(let end, let round) = state, end <= now else { return }
        state = .halfOpen(round: round)
    }

    /// Records the end of an attempt.
    mutating func attemptEnded(_ feedback: HostFeedback, at now: MonotonicTime) -> Action {
        switch (feedback, state) {
        case (.neutral, _), (_, .open):
            // Attempts that started before the breaker opened add no information.
            return .none
        case (.healthy, _), (.answered, _), (.overloaded, _):
            state = .closed(failures: 0)
            return .none
        case (.failing, .closed(let failures)):
            guard failures + 1 >= policy.threshold else {
                state = .closed(failures: failures + 1)
                return .none
            }
            return open(round: 1, at: now)
        case (.failing, .halfOpen(let round)):
            return open(round: round + 1, at: now)
        }
    }

    private mutating func open(round: Int, at now: MonotonicTime) -> Action {
        var pause = policy.pause
        for _ in 0..<min(round - 1, 32) where pause < policy.maximumPause { pause = pause * 2 }
        let end = now.advanced(by: min(pause, policy.maximumPause))
        state = .open(until: end, round: round)
        return round >= policy.rounds ? .giveUp(until: end) : .hold(until: end)
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
