import Curl

/// Leaves a host alone that only fails: after some failures in a row for a while, then for one
/// attempt, and if that fails too for twice as long. A host that fails again and again is given up
/// for a while. Pure: the time comes as an argument.
struct CircuitBreaker: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case closed(failures: Int)
        /// Nothing is tried before this.
        case open(until: MonotonicTime, round: Int)
        /// One attempt shows how it is.
        case halfOpen(round: Int)
    }

    /// What follows for the host.
    enum Action: Sendable, Hashable {
        case none
        /// Start nothing before this.
        case hold(until: MonotonicTime)
        /// Give up what waits, and start nothing before this.
        case giveUp(until: MonotonicTime)
    }

    private let policy: BreakerPolicy
    private var state = State.closed(failures: 0)

    init(_ policy: BreakerPolicy) {
        self.policy = policy
    }

    /// The most that may be in flight; nil for no limit of its own.
    var concurrency: Int? {
        if case .closed = state { nil } else { 1 }
    }

    /// Whether the host hasn't failed since it last answered.
    var isUntroubled: Bool {
        if case .closed(failures: 0) = state { true } else { false }
    }

    /// Whether the host is given up.
    func isGivenUp(at now: MonotonicTime) -> Bool {
        guard case .open(let end, let round) = state else { return false }
        return round >= policy.rounds && now < end
    }

    /// An attempt begins.
    mutating func attemptStarted(at now: MonotonicTime) {
        guard case .open(let end, let round) = state, end <= now else { return }
        state = .halfOpen(round: round)
    }

    /// An attempt has ended.
    mutating func attemptEnded(_ sign: HostSign, at now: MonotonicTime) -> Action {
        switch (sign, state) {
        case (.neutral, _), (_, .open):
            // Of those that began before it opened nothing new is learnt.
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
