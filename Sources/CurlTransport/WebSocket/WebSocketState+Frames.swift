internal import DequeModule

// Sending and receiving frames.

extension WebSocketState {
    // MARK: Sending

    /// The number of bytes waiting in the connection above which no more frames are created.
    private static let sendWindow = 128 * 1024

    private var limits: (close: Duration, end: Duration) {
        opening?.request.closingLimits ?? (.zero, .zero)
    }

    /// The maximum number of queued pongs.
    private static let maximumPongs = 64

    mutating func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        WebSocketFrame.bytes(
            opcode,
            payload: payload.span,
            maskingKey: UInt32.random(in: .min ... .max, using: &generator)
        )
    }

    /// Sends bytes over the connection, which must have room for them.
    mutating func put(_ bytes: [UInt8]) {
        guard connection?.send(bytes) == .accepted else { return }
        queuedBytes += Int64(bytes.count)
    }

    private var maySend: Bool {
        machine.isSending && (!isSuspended || machine.state == .closingSoon)
    }

    /// Sends queued frames while there is room for them.
    mutating func pump() {
        while maySend, let connection, connection.waitingBytes <= Self.sendWindow {
            if let control = controls.popFirst() {
                put(control)
            } else if let payload = pongs.popFirst() {
                put(frame(.pong, payload))
            } else if let (bytes, isLast) = outbox.nextFrame(
                maskingKey: UInt32.random(in: .min ... .max, using: &generator)
            ) {
                put(bytes)
                if isLast { outbox.ended(at: queuedBytes) }
            } else {
                if machine.state == .closingSoon { sendClose(within: limits.close) }
                return
            }
        }
    }

    mutating func sent(upTo position: Int64) {
        assert(position <= queuedBytes, "more bytes were sent than passed to the connection")
        for completion in outbox.sent(upTo: position) { notify { _ in completion(nil) } }
        pump()
    }

    /// Sends the close frame described by `closing`, and waits for the server to end the
    /// connection.
    private mutating func sendClose(within limit: Duration) {
        let payload = WebSocketFrame.closePayload(closing?.status, reason: closing?.reason ?? "")
        put(frame(.close, payload))
        machine.closeSent()
        connection?.close(within: limit, awaitsPeer: true)
    }

    mutating func carryOut(_ action: WebSocketStateMachine.Action) {
        switch action {
        case .none:
            break
        case .sendAllAndClose:
            inbox.removeAll()
            failReceivers(.cancelled)
            if isPaused || isSuspended { connection?.resumeReceiving() }
            isPaused = false
            // This limits the wait for a server that accepts no more bytes.
            connection?.setIdleLimit(limits.close)
            pump()
        case .sendClose:
            sendClose(within: limits.end)
        case .awaitEnd:
            connection?.close(within: limits.end, awaitsPeer: true)
        case .end(let sendsClose):
            if sendsClose { put(frame(.close, [])) }
            end(sendsClose: sendsClose)
        }
    }

    /// Ends the connection, if there is one, and all pending operations.
    private mutating func end(sendsClose: Bool) {
        let error = machine.failure ?? .cancelled
        // After the server's close frame, the messages before it can still be received.
        if machine.received == nil { inbox.removeAll() }
        failAll(error)
        if let connection {
            if sendsClose { connection.close(within: .zero) } else { connection.cancel() }
        } else if opening == nil {
            ended(nil)
        }
    }

    // MARK: Receiving

    mutating func received(_ bytes: Span<UInt8>) -> DeliveryDecision {
        var start = 0
        if machine.state == .shakingHands {
            guard let length = readAnswer(bytes) else { return .proceed }
            start = length
        }
        guard machine.wasOpen else { return .proceed }
        read(bytes.extracting(start..<bytes.count))
        guard inbox.isFull, machine.isDelivering else { return .proceed }
        isPaused = true
        return .pause
    }

    /// Reads the server's response. Returns its length once it is complete and accepts the
    /// handshake.
    private mutating func readAnswer(_ bytes: Span<UInt8>) -> Int? {
        do throws(TransportError) {
            guard let (head, length) = try opening?.receive(bytes) else { return nil }
            return accept(head) ? length : nil
        } catch {
            fail(.connection(error))
            return nil
        }
    }

    private mutating func accept(_ head: ResponseHead) -> Bool {
        let delegate = delegate
        do throws(WebSocketError) {
            guard let opening else { return false }
            let subprotocol = try opening.check(head)
            guard machine.accepted() else { return false }
            connection?.setIdleLimit(opening.request.idleLimit)
            notify { delegate?.webSocket($0, didOpenWith: subprotocol, head: head) }
            pump()
            return true
        } catch {
            notify { delegate?.webSocket($0, wasRefusedWith: head) }
            fail(error)
            return false
        }
    }

    private mutating func read(_ bytes: Span<UInt8>) {
        guard machine.state != .completed, machine.failure == nil else { return }
        var events: [WebSocketEvent] = []
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            try reader.receive(bytes, into: &events)
        } catch {
            violation = error
        }
        for event in events { handle(event) }
        if let violation { fail(.violation(violation)) }
        pump()
    }

    private mutating func handle(_ event: WebSocketEvent) {
        switch event {
        case .message(let message):
            guard machine.isDelivering else { return }
            if let receiver = inbox.append(message) {
                notify { _ in receiver(.success(message)) }
            }
        case .ping(let payload):
            // Only the last of several pings needs an answer (RFC 6455, section 5.5.3).
            if pongs.count >= Self.maximumPongs { _ = pongs.popFirst() }
            pongs.append(payload)
        case .pong(let payload):
            for completion in pings.answered(by: payload) { notify { _ in completion(nil) } }
        case .close(let status, let reason):
            serverClosed(status, reason)
        }
    }

    // MARK: Ending

    private mutating func serverClosed(_ status: WebSocketStatus?, _ reason: String) {
        let action = machine.serverClosed(status)
        guard action != .none else { return }
        let received = status ?? .noneReceived
        closed = (received, reason)
        let delegate = delegate
        notify { delegate?.webSocket($0, didReceiveClose: received, reason: reason) }
        if case .sendClose = action { closing = (status, "") }
        let error = WebSocketError.closed(received)
        failReceivers(error)
        failSenders(error)
        carryOut(action)
    }

    private mutating func fail(_ error: WebSocketError) {
        let action = machine.failed(error)
        if case .violation(let violation) = error { closing = (violation.status, violation.reason) }
        failAll(error)
        carryOut(action)
    }

    /// Handles the end of the connection, also if there never was one.
    mutating func ended(_ error: TransportError?) {
        let canReconnect = canReconnect
        guard let end = machine.ended(error) else { return }
        connection = nil
        if canReconnect {
            machine = WebSocketStateMachine()
            opening = nil
        } else {
            self.end = end.reason
            if closed == nil { noteEnd(end) }
            failReceivers(end.reason)
            failSenders(end.reason)
        }
        guard let delegate else { return }
        self.delegate = nil
        notify { delegate.webSocket($0, didCompleteWith: end.error, status: end.status) }
    }

    /// Records the status of an end without the server's close frame.
    private mutating func noteEnd(_ end: WebSocketStateMachine.End) {
        if end.error == nil {
            // The server hasn't answered this side's close frame.
            let status = closing?.status ?? .noneReceived
            closed = (status, closing?.reason ?? "")
        } else if let status = end.status {
            closed = (status, "")
        }
    }
}
