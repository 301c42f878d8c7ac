/// The state of one WebSocket as a pure value: events in, actions out.
///
/// Source: RFC 6455, sections 4.1 and 7.
struct WebSocketStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// The connection is being opened.
        case connecting
        /// The request is sent, and the response is awaited.
        case shakingHands
        case open
        /// This side will close after it has sent its queued messages.
        case closingSoon
        /// This side has sent its close frame, and the server may have sent its own.
        case closing
        case completed
    }

    private(set) var state = State.connecting

    /// Why it failed; nil if it didn't. Only the first reason is kept.
    private(set) var failure: WebSocketError?

    /// The server's status; ``WebSocketStatus/noneReceived`` if its close frame has none.
    private(set) var received: WebSocketStatus?

    /// Whether this side closes or ends it, so that received messages are ignored.
    private(set) var isClosedLocally = false

    /// Whether the handshake has succeeded.
    private(set) var wasOpen = false

    /// Whether messages can be sent now.
    var isSending: Bool { state == .open || state == .closingSoon }

    /// Whether messages are accepted, to send them now or once it is open.
    var takesMessages: Bool {
        state == .connecting || state == .shakingHands || state == .open
    }

    /// Whether received messages are delivered.
    var isDelivering: Bool { state == .open && !isClosedLocally }

    // MARK: Opening

    /// The connection is open. Returns false if the request must not be sent.
    mutating func connected() -> Bool {
        guard state == .connecting else { return false }
        state = .shakingHands
        return true
    }

    /// The server has accepted the handshake. Returns false if this side has ended or failed it.
    mutating func accepted() -> Bool {
        guard state == .shakingHands, failure == nil else { return false }
        state = .open
        wasOpen = true
        return true
    }

    // MARK: Closing

    enum Action: Sendable, Equatable {
        case none
        /// Send all queued messages, and then a close frame.
        case sendAllAndClose
        /// Send a close frame and wait for the server to end the connection.
        case sendClose
        /// Wait for the server to end the connection, after both close frames.
        case awaitEnd
        /// End the connection at once; send a close frame before if `sendsClose`.
        case end(sendsClose: Bool)
    }

    /// This side closes the WebSocket.
    mutating func close() -> Action {
        switch state {
        case .connecting, .shakingHands:
            return cancel()
        case .open:
            isClosedLocally = true
            state = .closingSoon
            return .sendAllAndClose
        case .closingSoon, .closing, .completed:
            return .none
        }
    }

    /// The close frame has been passed to the connection.
    mutating func closeSent() {
        assert(isSending, "a close frame was sent while none may be sent")
        guard isSending else { return }
        state = .closing
    }

    /// This side ends the WebSocket without waiting.
    mutating func cancel() -> Action {
        guard state != .completed else { return .none }
        isClosedLocally = true
        if failure == nil, received == nil { failure = .cancelled }
        let sendsClose = isSending
        if sendsClose { state = .closing }
        return .end(sendsClose: sendsClose)
    }

    /// The server has sent a close frame.
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

    /// The WebSocket has failed.
    mutating func failed(_ error: WebSocketError) -> Action {
        guard state != .completed else { return .none }
        let isNew = failure == nil && received == nil
        if isNew { failure = error }
        switch state {
        case .open, .closingSoon: return .sendClose
        // No close frame may be sent before the handshake is complete.
        case .connecting, .shakingHands: return .end(sendsClose: false)
        case .closing: return isNew ? .awaitEnd : .none
        case .completed: return .none
        }
    }

    // MARK: End

    /// The result of a WebSocket that has ended.
    struct End: Sendable, Equatable {
        /// Nil after an orderly close.
        let error: WebSocketError?
        /// The error for pending operations.
        let reason: WebSocketError
        /// The status it was closed with; nil if it never was open.
        let status: WebSocketStatus?
    }

    /// The connection has ended. Returns nil if the WebSocket has completed already.
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
            // A side that has closed doesn't require an answer.
            return End(error: nil, reason: .cancelled, status: .abnormalClosure)
        }
        var cause = error ?? Self.lost(isOpen: wasOpen)
        // A server that resets the connection instead of answering hasn't answered either.
        if before == .shakingHands, cause.code == .connectionLost { cause.code = .emptyReply }
        let lost = WebSocketError.connection(cause)
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
