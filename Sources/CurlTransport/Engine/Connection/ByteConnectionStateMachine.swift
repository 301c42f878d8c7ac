/// The state of one connection for bytes as a pure value: events in, actions out.
///
/// The connection waits for a place, connects, may ask whether the server is trusted, and is open
/// until both sides have ended or one side closes it. It completes exactly once, whatever the order
/// of events is.
struct ByteConnectionStateMachine {
    enum State: Equatable {
        /// Waits in the scheduler's queue.
        case waiting
        /// libcurl connects.
        case connecting
        /// libcurl has connected, and the delegate decides whether to trust the server.
        case askingTrust
        case open
        case completed
    }

    /// What this side has requested.
    enum Ending: Equatable {
        case none
        /// End the sending side after all bytes are sent.
        case sending
        /// Close the connection after all bytes are sent.
        case connection
        /// Close the connection after all bytes are sent and the peer has ended its side.
        case connectionAfterPeer
    }

    enum Action: Equatable {
        case none
        /// End the sending side of the socket.
        case finishSending
        /// Notify the delegate that the peer has ended its side.
        case notifyEnd
        /// Complete the connection without an error.
        case complete
    }

    private(set) var state = State.waiting
    private(set) var ending = Ending.none
    private(set) var hasPeerEnded = false
    private var hasFinishedSending = false

    /// Whether bytes may be received.
    var isReceiving: Bool { state == .open && !hasPeerEnded && ending != .connection }

    /// Whether this side is closing the connection, so that a later failure doesn't matter.
    var isClosing: Bool { ending == .connection || ending == .connectionAfterPeer }

    // MARK: Connecting

    /// A place is free. Returns false if the connection isn't waiting any more.
    mutating func start() -> Bool {
        guard state == .waiting else { return false }
        state = .connecting
        return true
    }

    /// The attempt has failed and will be repeated. Returns false if it isn't connecting.
    mutating func willRepeat() -> Bool {
        guard state == .connecting else { return false }
        state = .waiting
        return true
    }

    /// The delegate will answer the trust question later. Returns false if it isn't connecting.
    mutating func trustAsked() -> Bool {
        guard state == .connecting else { return false }
        state = .askingTrust
        return true
    }

    /// The connection may be used. Returns false unless it is connecting or waits for the trust
    /// answer.
    mutating func open() -> Bool {
        guard state == .connecting || state == .askingTrust else { return false }
        state = .open
        return true
    }

    // MARK: Ending

    /// Ends the sending side. `isDrained` says that no bytes are left to send.
    mutating func finishSending(isDrained: Bool) -> Action {
        guard state != .completed, ending == .none else { return .none }
        ending = .sending
        return isDrained ? drained() : .none
    }

    /// Closes the connection.
    mutating func close(awaitsPeer: Bool, isDrained: Bool) -> Action {
        switch state {
        case .completed:
            return .none
        case .waiting, .connecting, .askingTrust:
            state = .completed
            return .complete
        case .open:
            // A close that doesn't wait for the peer can't be changed to one that does.
            if ending != .connection { ending = awaitsPeer ? .connectionAfterPeer : .connection }
            return isDrained ? drained() : .none
        }
    }

    /// All bytes have been sent.
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
        case .connectionAfterPeer:
            return hasPeerEnded ? complete() : .none
        }
    }

    /// The peer has ended its side.
    mutating func peerEnded(isDrained: Bool) -> Action {
        guard isReceiving else { return .none }
        hasPeerEnded = true
        guard ending == .none || !isDrained else { return complete() }
        return .notifyEnd
    }

    private mutating func complete() -> Action {
        state = .completed
        return .complete
    }

    /// Ends the connection on cancellation, failure, timeout or shutdown.
    ///
    /// Returns false if it has completed already.
    mutating func stop() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
