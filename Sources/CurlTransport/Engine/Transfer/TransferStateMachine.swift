/// The states of one transfer as a pure value: events in, actions out.
///
/// A transfer is queued and runs one attempt. For a redirect or a retry, it may be queued and run
/// again. It completes exactly once, in any order of events.
struct TransferStateMachine {
    private(set) var state = State.waiting

    enum State: Equatable {
        /// In the scheduler's queue.
        case waiting
        /// One attempt is in the multi handle.
        case running
        /// One attempt is in the multi handle, and the transfer only waits for its end.
        case leaving(discarded: Int)
        /// The delegate decides on a proposed redirect; the attempt may have ended meanwhile.
        case asking(ended: AttemptEnd?)
        /// The delegate decides on a server's trust. No attempt runs.
        case askingTrust
        case completed
    }

    /// The result of an attempt.
    enum AttemptEnd: Equatable {
        case success
        case failure(TransportError)

        var error: TransportError? {
            if case .failure(let error) = self { error } else { nil }
        }
    }

    /// The maximum redirect body that is read to keep its connection reusable.
    static let maximumDiscarded = 64 * 1024

    var isCompleted: Bool { state == .completed }

    /// Whether an attempt is in the multi handle and may transfer its body.
    var isFlowing: Bool {
        switch state {
        case .running, .leaving: true
        default: false
        }
    }

    /// Whether an attempt is in the multi handle.
    private var hasAttempt: Bool {
        switch state {
        case .running, .leaving, .asking(ended: nil): true
        case .asking, .waiting, .askingTrust, .completed: false
        }
    }

    // MARK: The attempt

    /// Starts an attempt. Returns false if none may start any more.
    mutating func start() -> Bool {
        guard state == .waiting else { return false }
        state = .running
        return true
    }

    enum BodyAction: Equatable {
        case deliver
        case discard
        case pause
        case abort
    }

    /// Decides what to do with received body bytes.
    mutating func bodyArrived(_ count: Int) -> BodyAction {
        // In the other states, libcurl may deliver bytes while the loop removes their attempt.
        assert(state != .askingTrust, "bytes arrived while the delegate decides on trust")
        switch state {
        case .running:
            return .deliver
        case .leaving(let discarded):
            let sum = discarded + count
            guard sum <= Self.maximumDiscarded else { return .abort }
            state = .leaving(discarded: sum)
            return .discard
        case .asking:
            return .pause
        case .waiting, .askingTrust, .completed:
            return .abort
        }
    }

    enum EndAction: Equatable {
        case complete(TransportError?)
        case startNextAttempt
        case wait
    }

    /// Handles the attempt's removal from the multi handle.
    mutating func attemptEnded(_ end: AttemptEnd) -> EndAction {
        assert(hasAttempt, "an attempt ended that isn't in the multi handle")
        switch state {
        case .running:
            state = .completed
            return .complete(end.error)
        case .leaving:
            state = .waiting
            return .startNextAttempt
        case .asking:
            state = .asking(ended: end)
            return .wait
        case .waiting, .askingTrust, .completed:
            return .wait
        }
    }

    /// Prepares a retry after the attempt's end. Returns false if there is none.
    mutating func attemptWillRepeat() -> Bool {
        guard state == .running else { return false }
        state = .waiting
        return true
    }

    // MARK: Redirects

    /// Follows the received redirect as soon as its attempt has ended.
    mutating func redirectAccepted() {
        guard state == .running else { return }
        state = .leaving(discarded: 0)
    }

    /// Waits for the delegate's later decision on a redirect.
    mutating func redirectAsked() {
        guard state == .running else { return }
        state = .asking(ended: nil)
    }

    enum RedirectAction: Equatable {
        case none
        /// Remove the attempt from the multi handle, if necessary, and start the next one.
        case startNextAttempt
        /// Deliver the redirect as the response, and continue with its body.
        case deliver
        /// Deliver the redirect as the response, and complete.
        case deliverAndComplete(TransportError?)
    }

    /// Handles the delegate's late decision on a redirect.
    mutating func redirectAnswered(follows: Bool) -> RedirectAction {
        guard case .asking(let end) = state else { return .none }
        if follows {
            state = .waiting
            return .startNextAttempt
        }
        guard let end else {
            state = .running
            return .deliver
        }
        state = .completed
        return .deliverAndComplete(end.error)
    }

    // MARK: Trust

    /// Waits for the delegate's later decision on trust, after the attempt's end.
    mutating func trustAsked() -> Bool {
        guard state == .running else { return false }
        state = .askingTrust
        return true
    }

    /// Handles the late decision. Returns false if none is pending.
    mutating func trustAnswered() -> Bool {
        guard state == .askingTrust else { return false }
        state = .waiting
        return true
    }

    // MARK: The end

    /// Ends the transfer by cancellation, timeout or shutdown. Returns false if it has ended.
    mutating func stop() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
