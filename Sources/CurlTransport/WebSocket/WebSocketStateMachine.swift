/// The life of one WebSocket as a pure value: events in, actions out.
///
/// Source: RFC 6455, sections 4.1 and 7.
struct WebSocketStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// The connection is being made.
        case connecting
        /// The request is sent, and the answer awaited.
        case shakingHands
        case open
        /// This side closes, once what it had to say before is said.
        case closingSoon
        /// This side has sent its close frame, and perhaps the server has.
        case closing
        case completed
    }

    private(set) var state = State.connecting

    /// Why it ends, where that is known. The first reason counts.
    private(set) var failure: WebSocketError?

    /// The server's own status; ``WebSocketStatus/noneReceived`` where its close frame had none.
    private(set) var received: WebSocketStatus?

    /// Whether this side closes or ends it: what comes then is of no interest to anybody.
    private(set) var isEndedHere = false

    /// Whether the handshake has come to its good end.
    private(set) var wasOpen = false

    /// Whether messages may be sent now.
    var isSending: Bool { state == .open || state == .closingSoon }

    /// Whether messages may be handed in, for now or for when it is open.
    var takesMessages: Bool {
        state == .connecting || state == .shakingHands || state == .open
    }

    /// Whether messages that come are delivered.
    var isDelivering: Bool { state == .open && !isEndedHere }

    // MARK: Opening

    /// The connection stands. False if nothing is to be sent over it.
    mutating func connected() -> Bool {
        guard state == .connecting else { return false }
        state = .shakingHands
        return true
    }

    /// The server has agreed. False if that is of no interest any more.
    mutating func accepted() -> Bool {
        guard state == .shakingHands, failure == nil else { return false }
        state = .open
        wasOpen = true
        return true
    }

    // MARK: Closing

    enum Action: Sendable, Equatable {
        case none
        /// Send what waits, and then a close frame.
        case sendAllAndClose
        /// Send a close frame and wait for the server to end the connection.
        case sendClose
        /// The server has answered: all that is left for it is to end the connection.
        case awaitEnd
        /// End the connection at once, after a close frame if `says`.
        case end(says: Bool)
    }

    /// This side closes.
    mutating func close() -> Action {
        switch state {
        case .connecting, .shakingHands:
            return cancel()
        case .open:
            isEndedHere = true
            state = .closingSoon
            return .sendAllAndClose
        case .closingSoon, .closing, .completed:
            return .none
        }
    }

    /// The close frame is on its way.
    mutating func closeSent() {
        guard state == .open || state == .closingSoon else { return }
        state = .closing
    }

    /// This side ends it, without waiting for anything.
    mutating func cancel() -> Action {
        guard state != .completed else { return .none }
        isEndedHere = true
        if failure == nil, received == nil { failure = .cancelled }
        let says = isSending
        if says { state = .closing }
        return .end(says: says)
    }

    /// The server closes.
    mutating func serverClosed(_ status: WebSocketStatus?) -> Action {
        guard received == nil else { return .none }
        switch state {
        case .open, .closingSoon:
            received = status ?? .noneReceived
            return .sendClose
        case .closing:
            received = status ?? .noneReceived
            return .awaitEnd
        case .connecting, .shakingHands, .completed:
            return .none
        }
    }

    /// It can't go on.
    mutating func failed(_ error: WebSocketError) -> Action {
        guard state != .completed else { return .none }
        let isNew = failure == nil && received == nil
        if isNew { failure = error }
        switch state {
        case .open, .closingSoon: return .sendClose
        // The handshake is no place for a close frame.
        case .connecting, .shakingHands: return .end(says: false)
        case .closing: return isNew ? .awaitEnd : .none
        case .completed: return .none
        }
    }

    // MARK: The end

    /// How it has ended.
    struct End: Sendable, Equatable {
        /// Nil where it was closed in order.
        let error: WebSocketError?
        /// What those are told who still wait for something.
        let reason: WebSocketError
        /// The status that it was closed with; nil where it wasn't open.
        let status: WebSocketStatus?
    }

    /// The connection is over. Nil if it was before.
    mutating func ended(_ error: TransportError?) -> End? {
        guard state != .completed else { return nil }
        let before = state
        state = .completed
        if let received, failure == nil {
            return End(error: nil, reason: .closed(received), status: received)
        }
        if let failure {
            let status: WebSocketStatus? =
                if case .violation(let violation) = failure { violation.status } else {
                    wasOpen ? received ?? .abnormalClosure : nil
                }
            return End(error: failure, reason: failure, status: status)
        }
        if before == .closing {
            // Whoever closes needs no answer.
            return End(error: nil, reason: .cancelled, status: .abnormalClosure)
        }
        let lost = WebSocketError.connection(error ?? Self.lost(isOpen: wasOpen))
        failure = lost
        return End(error: lost, reason: lost, status: wasOpen ? .abnormalClosure : nil)
    }

    private static func lost(isOpen: Bool) -> TransportError {
        TransportError(
            isOpen ? .connectionLost : .emptyReply,
            phase: isOpen ? .receiving : .waiting,
            message: isOpen
                ? "the server ended the connection without closing the WebSocket."
                : "the server ended the connection before it agreed to a WebSocket."
        )
    }
}
