import Posix

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

/// Stops requests to a host that keeps failing, or that keeps asking for pauses.
///
/// After several consecutive failures it pauses the host, then allows one attempt, the probe; if
/// that fails too, it doubles the pause. After several rounds it gives up on the host for the last
/// pause. A pause that the host requests with `Retry-After` ends with a probe, too; after several
/// such pauses without a success it gives up as well. Without a policy it only sends the probe.
/// Pure: the caller passes the current time.
struct CircuitBreaker: Sendable, Hashable {
    private enum Phase: Sendable, Hashable {
        case closed
        /// No attempt starts before this time.
        case open(until: MonotonicTime)
        /// The probe is in flight, and no other attempt starts.
        case halfOpen
    }

    /// What the caller does with the host.
    enum Action: Sendable, Hashable {
        case none
        /// Start no attempt before this time.
        case hold(until: MonotonicTime)
        /// Fail all queued URLs, and start no attempt before this time.
        case giveUp(until: MonotonicTime)
    }

    private let policy: BreakerPolicy?
    private var phase = Phase.closed
    /// Consecutive failures without a pause.
    private var failures = 0
    /// Consecutive pauses after failures.
    private var rounds = 0
    /// Consecutive pauses that the host requested.
    private var waits = 0
    private var isGivenUp = false

    init(_ policy: BreakerPolicy?) {
        self.policy = policy
    }

    /// The concurrency limit of the breaker after failures; `nil` for none.
    var concurrency: Int? { isBroken ? 1 : nil }

    /// Whether failures paused the host, or it was given up, without a success since.
    var isBroken: Bool { phase != .closed && (rounds > 0 || isGivenUp) }

    /// Whether the host must answer its probe before another attempt starts.
    var isProbing: Bool { phase == .halfOpen }

    /// Whether the host hasn't failed or requested a pause since its last success.
    var hasNoFailures: Bool { phase == .closed && failures == 0 && waits == 0 }

    /// Whether the breaker has given up on the host.
    func isGivenUp(at now: MonotonicTime) -> Bool {
        guard isGivenUp, case .open(let end) = phase else { return false }
        return now < end
    }

    /// Records the start of an attempt, which is the probe after a pause.
    mutating func attemptStarted(at now: MonotonicTime) {
        guard case .open(let end) = phase, end <= now else { return }
        phase = .halfOpen
    }

    /// Records the end of an attempt.
    ///
    /// - Parameters:
    ///   - pause: The pause that the host requested; `nil` for none.
    ///   - isProbe: Whether the attempt is the probe, if there is one. The end of every probe must
    ///     be recorded: until then no other attempt starts.
    mutating func attemptEnded(
        _ feedback: HostFeedback,
        pause: Duration? = nil,
        isProbe: Bool = true,
        at now: MonotonicTime
    ) -> Action {
        guard phase == .closed || phase == .halfOpen && isProbe else {
            endedBesidePause(feedback, pause: pause, at: now)
            return .none
        }
        if let pause, pause > .zero { return wait(pause, at: now) }
        switch feedback {
        case .neutral:
            // The probe shows nothing, so another attempt becomes the probe.
            if phase == .halfOpen { phase = .open(until: now) }
            return .none
        case .healthy, .answered, .overloaded:
            close()
            return .none
        case .failing:
            return failed(at: now)
        }
    }

    /// Records the end of an attempt that started before a pause.
    ///
    /// Such attempts say little about the host after the pause, except that a success shows that
    /// the host doesn't refuse all requests.
    private mutating func endedBesidePause(
        _ feedback: HostFeedback,
        pause: Duration?,
        at now: MonotonicTime
    ) {
        if let pause, case .open(let end) = phase {
            phase = .open(until: max(end, now.advanced(by: pause)))
        }
        if case .healthy = feedback, !isGivenUp { waits = 0 }
    }

    /// Records that the probe's response has begun, and isn't a failure.
    mutating func probeAnswered() {
        if phase == .halfOpen { close() }
    }

    private mutating func close() {
        (phase, failures, rounds, waits, isGivenUp) = (.closed, 0, 0, 0, false)
    }

    /// Begins a pause that the host requested. The caller holds the host, unless it is given up.
    private mutating func wait(_ pause: Duration, at now: MonotonicTime) -> Action {
        if let policy, waits >= policy.waits {
            return giveUp(until: now.advanced(by: max(pause, policy.maximumPause)))
        }
        (failures, rounds, isGivenUp) = (0, 0, false)
        waits += 1
        phase = .open(until: now.advanced(by: pause))
        return .none
    }

    private mutating func failed(at now: MonotonicTime) -> Action {
        guard let policy else {
            phase = .closed
            return .none
        }
        // After a pause that the host requested, failures are counted as before it.
        if rounds == 0, !isGivenUp {
            failures += 1
            guard failures >= policy.threshold else {
                phase = .closed
                return .none
            }
        }
        failures = 0
        rounds += 1
        var pause = policy.pause
        for _ in 0..<min(rounds - 1, 32) where pause < policy.maximumPause { pause = pause * 2 }
        let end = now.advanced(by: min(pause, policy.maximumPause))
        if rounds >= policy.rounds || isGivenUp { return giveUp(until: end) }
        phase = .open(until: end)
        return .hold(until: end)
    }

    private mutating func giveUp(until end: MonotonicTime) -> Action {
        phase = .open(until: end)
        isGivenUp = true
        return .giveUp(until: end)
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
