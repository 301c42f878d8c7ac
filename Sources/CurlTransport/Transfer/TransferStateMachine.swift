/// The life of one transfer as a pure value: events in, actions out.
///
/// A transfer waits for a place, runs one hop, and perhaps waits and runs again for a redirect or
/// another attempt. Whatever happens in whatever order, it completes exactly once.
struct TransferStateMachine {
    private(set) var state = State.waiting

    enum State: Equatable {
        /// In the scheduler's queue.
        case waiting
        /// One hop is in the multi handle.
        case running
        /// One hop is in the multi handle, but only its end is waited for.
        case leaving(discarded: Int)
        /// A redirect was proposed, and the answer is awaited; the hop may have ended meanwhile.
        case asking(ended: HopEnd?)
        /// A server's trust is in question, and the answer is awaited. No hop runs.
        case askingTrust
        case completed
    }

    /// How a hop ended.
    enum HopEnd: Equatable {
        case success
        case failure(TransportError)

        var error: TransportError? {
            if case .failure(let error) = self { error } else { nil }
        }
    }

    /// A redirect's body up to this size is read, so that its connection can be used again.
    static let maximumDiscarded = 64 * 1024

    var isCompleted: Bool { state == .completed }

    /// A hop is in the multi handle, and its body may flow.
    var isFlowing: Bool {
        switch state {
        case .running, .leaving: true
        default: false
        }
    }

    // MARK: The hop

    /// A place is free. False if nothing is to be started any more.
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

    /// Body bytes came.
    mutating func bodyArrived(_ count: Int) -> BodyAction {
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
        case startNextHop
        case wait
    }

    /// The hop is out of the multi handle.
    mutating func hopEnded(_ end: HopEnd) -> EndAction {
        switch state {
        case .running:
            state = .completed
            return .complete(end.error)
        case .leaving:
            state = .waiting
            return .startNextHop
        case .asking:
            state = .asking(ended: end)
            return .wait
        case .waiting, .askingTrust, .completed:
            return .wait
        }
    }

    /// The hop ended, and the same request is to be tried once more.
    mutating func hopWillRepeat() -> Bool {
        guard state == .running else { return false }
        state = .waiting
        return true
    }

    // MARK: Redirects

    /// The redirect just received is followed as soon as its hop has ended.
    mutating func redirectAccepted() {
        guard state == .running else { return }
        state = .leaving(discarded: 0)
    }

    /// The delegate wants to answer a redirect later.
    mutating func redirectAsked() {
        guard state == .running else { return }
        state = .asking(ended: nil)
    }

    enum RedirectAction: Equatable {
        case none
        /// Take the hop out of the multi handle if it is there still, and start the next one.
        case startNextHop
        /// Deliver the redirect as the response and let its body flow.
        case deliver
        /// Deliver the redirect as the response, which is complete.
        case deliverAndComplete(TransportError?)
    }

    /// The delegate's late answer to a redirect.
    mutating func redirectAnswered(follows: Bool) -> RedirectAction {
        guard case .asking(let end) = state else { return .none }
        if follows {
            state = .waiting
            return .startNextHop
        }
        guard let end else {
            state = .running
            return .deliver
        }
        state = .completed
        return .deliverAndComplete(end.error)
    }

    // MARK: Trust

    /// The delegate wants to answer for the server's trust later; the hop has ended.
    mutating func trustAsked() -> Bool {
        guard state == .running else { return false }
        state = .askingTrust
        return true
    }

    /// The late answer. False if it isn't awaited.
    mutating func trustAnswered() -> Bool {
        guard state == .askingTrust else { return false }
        state = .waiting
        return true
    }

    // MARK: The end

    /// Ends the transfer from outside: cancellation, time limit, shutdown. False if it has ended.
    mutating func stop() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
