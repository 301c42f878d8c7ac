/// The life of one connection for bytes as a pure value: events in, actions out.
///
/// It waits for a place, connects, perhaps asks whether the server is trusted, and is open until both
/// sides have ended or somebody ends it. Whatever happens in whatever order, it completes exactly
/// once.
struct ByteConnectionStateMachine {
    enum State: Equatable {
        /// In the scheduler's queue.
        case waiting
        /// libcurl is at work.
        case connecting
        /// The connection stands, and the delegate is to say whether it may be used.
        case askingTrust
        case open
        case completed
    }

    /// What this side has asked for.
    enum Ending: Equatable {
        case none
        /// The sending side ends, when all is sent.
        case sending
        /// The connection ends, when all is sent.
        case connection
        /// The connection ends, when all is sent and the peer has ended its side.
        case peersEnd
    }

    enum Action: Equatable {
        case none
        /// Tell the peer that nothing more comes.
        case finishSending
        /// Tell the delegate that the peer sends nothing more.
        case tellEnd
        /// The connection is over, in order.
        case complete
    }

    private(set) var state = State.waiting
    private(set) var ending = Ending.none
    private(set) var hasPeerEnded = false
    private var hasFinishedSending = false

    /// Whether bytes may be taken from the connection.
    var isReceiving: Bool { state == .open && !hasPeerEnded && ending != .connection }

    /// Whether somebody wants the connection's end, so that what it fails of is of no interest.
    var isClosing: Bool { ending == .connection || ending == .peersEnd }

    // MARK: Connecting

    /// A place is free. False if nothing is to be started any more.
    mutating func start() -> Bool {
        guard state == .waiting else { return false }
        state = .connecting
        return true
    }

    /// The attempt has failed, and is to be repeated.
    mutating func willRepeat() -> Bool {
        guard state == .connecting else { return false }
        state = .waiting
        return true
    }

    /// The connection stands, and whether the server is trusted will be answered later.
    mutating func trustAsked() -> Bool {
        guard state == .connecting else { return false }
        state = .askingTrust
        return true
    }

    /// The connection may be used. False if it isn't awaited.
    mutating func open() -> Bool {
        guard state == .connecting || state == .askingTrust else { return false }
        state = .open
        return true
    }

    // MARK: Ending

    /// Nothing more will be sent than what there is; `isDrained` if there is nothing.
    mutating func finishSending(isDrained: Bool) -> Action {
        guard state != .completed, ending == .none else { return .none }
        ending = .sending
        return isDrained ? drained() : .none
    }

    /// The connection is to end.
    mutating func close(awaitsPeer: Bool, isDrained: Bool) -> Action {
        switch state {
        case .completed:
            return .none
        case .waiting, .connecting, .askingTrust:
            state = .completed
            return .complete
        case .open:
            // Who no longer wants to wait for the peer can't want to again.
            if ending != .connection { ending = awaitsPeer ? .peersEnd : .connection }
            return isDrained ? drained() : .none
        }
    }

    /// All that was to be sent has been.
    mutating func drained() -> Action {
        guard state == .open else { return .none }
        switch ending {
        case .none:
            return .none
        case .sending:
            if hasPeerEnded { return complete() }
            guard !hasFinishedSending else { return .none }
            hasFinishedSending = true
            return .finishSending
        case .connection:
            return complete()
        case .peersEnd:
            return hasPeerEnded ? complete() : .none
        }
    }

    /// The peer sends nothing more.
    mutating func peerEnded(isDrained: Bool) -> Action {
        guard isReceiving else { return .none }
        hasPeerEnded = true
        guard ending == .none || !isDrained else { return complete() }
        return .tellEnd
    }

    private mutating func complete() -> Action {
        state = .completed
        return .complete
    }

    /// Ends the connection from outside: cancellation, failure, time limit, shutdown. False if it has
    /// ended.
    mutating func stop() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
