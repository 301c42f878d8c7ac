package import Posix

/// Stops requests to a host that keeps failing, or that keeps asking for pauses.
///
/// After several consecutive failures it pauses the host, then allows one attempt, the probe; if
/// that fails too, it doubles the pause. After several rounds it gives up on the host for the last
/// pause. A pause that the host requests with `Retry-After` ends with a probe, too; after several
/// such pauses without a success it gives up as well. Without limits it only sends the probe.
/// Pure: the caller passes the current time.
package struct CircuitBreaker: Sendable, Hashable {
    /// When the breaker opens, and for how long.
    package struct Limits: Sendable, Hashable {
        /// Consecutive failures that open the breaker.
        package var threshold: Int
        /// The first pause; each further one is twice as long.
        package var pause: Duration
        /// The maximum pause.
        package var maximumPause: Duration
        /// Consecutive pauses after which the breaker gives up; `Int.max` for never.
        package var rounds: Int
        /// Consecutive pauses requested by the host after which the breaker gives up.
        package var waits: Int

        package init(
            threshold: Int,
            pause: Duration,
            maximumPause: Duration,
            rounds: Int = .max,
            waits: Int = .max
        ) {
            self.threshold = threshold
            self.pause = pause
            self.maximumPause = maximumPause
            self.rounds = rounds
            self.waits = waits
        }
    }

    private enum Phase: Sendable, Hashable {
        case closed
        /// No attempt starts before this time.
        case open(until: MonotonicTime)
        /// The probe is in flight, and no other attempt starts.
        case halfOpen
    }

    /// What the caller does with the host.
    package enum Action: Sendable, Hashable {
        case none
        /// Start no attempt before this time.
        case hold(until: MonotonicTime)
        /// Fail all queued URLs, and start no attempt before this time.
        case giveUp(until: MonotonicTime)
    }

    /// Whether a request may be sent, for callers that don't wait.
    package enum Permit: Sendable, Hashable {
        case granted
        /// The request is the probe. Its end must be recorded.
        case probe
        /// `until`: the end of the pause; `nil` while the probe is in flight.
        case refused(until: MonotonicTime?)
    }

    /// What another process needs to know after a pause.
    package struct Record: Sendable, Hashable, Codable {
        fileprivate let failures: Int
        fileprivate let rounds: Int
        fileprivate let waits: Int
        fileprivate let isGivenUp: Bool
        /// Whether the next attempt is the probe.
        fileprivate let isOpen: Bool
    }

    private let limits: Limits?
    private var phase = Phase.closed
    /// Consecutive failures without a pause.
    private var failures = 0
    /// Consecutive pauses after failures.
    private var rounds = 0
    /// Consecutive pauses that the host requested.
    private var waits = 0
    private var isGivenUp = false

    /// - Parameter limits: `nil` if failures never open the breaker.
    package init(_ limits: Limits?) {
        self.limits = limits
    }

    /// The concurrency limit of the breaker after failures; `nil` for none.
    package var concurrency: Int? { isBroken ? 1 : nil }

    /// Whether failures paused the host, or it was given up, without a success since.
    package var isBroken: Bool { phase != .closed && (rounds > 0 || isGivenUp) }

    /// Whether the host must answer its probe before another attempt starts.
    package var isProbing: Bool { phase == .halfOpen }

    /// Whether the host hasn't failed or requested a pause since its last success.
    package var hasNoFailures: Bool { phase == .closed && failures == 0 && waits == 0 }

    /// The state now, without the time at which a pause ends.
    package var record: Record {
        Record(
            failures: failures,
            rounds: rounds,
            waits: waits,
            isGivenUp: isGivenUp,
            isOpen: phase != .closed
        )
    }

    /// Continues after another process. If the host had a pause, it has ended.
    package mutating func restore(_ record: Record) {
        failures = max(0, record.failures)
        rounds = max(0, record.rounds)
        waits = max(0, record.waits)
        isGivenUp = record.isGivenUp
        phase = record.isOpen ? .open(until: MonotonicTime(nanoseconds: .min)) : .closed
    }

    /// Whether the breaker has given up on the host.
    package func isGivenUp(at now: MonotonicTime) -> Bool {
        guard isGivenUp, case .open(let end) = phase else { return false }
        return now < end
    }

    /// Records the start of an attempt, which is the probe after a pause.
    package mutating func attemptStarted(at now: MonotonicTime) {
        guard case .open(let end) = phase, end <= now else { return }
        phase = .halfOpen
    }

    /// Decides about a request and records its start, unless it is refused.
    package mutating func permit(at now: MonotonicTime) -> Permit {
        switch phase {
        case .closed: return .granted
        case .halfOpen: return .refused(until: nil)
        case .open(let end):
            guard end <= now else { return .refused(until: end) }
            phase = .halfOpen
            return .probe
        }
    }

    /// Records the end of an attempt.
    ///
    /// - Parameters:
    ///   - pause: The pause that the host requested; `nil` for none.
    ///   - isProbe: Whether the attempt is the probe, if there is one. The end of every probe must
    ///     be recorded: until then no other attempt starts.
    package mutating func attemptEnded(
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
    package mutating func probeAnswered() {
        if phase == .halfOpen { close() }
    }

    private mutating func close() {
        (phase, failures, rounds, waits, isGivenUp) = (.closed, 0, 0, 0, false)
    }

    /// Begins a pause that the host requested. The caller holds the host, unless it is given up.
    private mutating func wait(_ pause: Duration, at now: MonotonicTime) -> Action {
        if let limits, waits >= limits.waits {
            return giveUp(until: now.advanced(by: max(pause, limits.maximumPause)))
        }
        (failures, rounds, isGivenUp) = (0, 0, false)
        waits += 1
        phase = .open(until: now.advanced(by: pause))
        return .none
    }

    private mutating func failed(at now: MonotonicTime) -> Action {
        guard let limits else {
            phase = .closed
            return .none
        }
        // After a pause that the host requested, failures are counted as before it.
        if rounds == 0, !isGivenUp {
            failures += 1
            guard failures >= limits.threshold else {
                phase = .closed
                return .none
            }
        }
        failures = 0
        rounds += 1
        var pause = limits.pause
        for _ in 0..<min(rounds - 1, 32) where pause < limits.maximumPause { pause = pause * 2 }
        let end = now.advanced(by: min(pause, limits.maximumPause))
        if rounds >= limits.rounds || isGivenUp { return giveUp(until: end) }
        phase = .open(until: end)
        return .hold(until: end)
    }

    private mutating func giveUp(until end: MonotonicTime) -> Action {
        phase = .open(until: end)
        isGivenUp = true
        return .giveUp(until: end)
    }
}
