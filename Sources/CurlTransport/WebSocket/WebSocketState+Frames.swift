// What goes over the connection, and what comes.

extension WebSocketState {
    // MARK: Sending

    /// While so much waits in the connection, no more frames are made.
    private static let sendWindow = 128 * 1024

    private var limits: (close: Duration, end: Duration) {
        opening?.request.closingLimits ?? (.zero, .zero)
    }

    /// As many pongs wait at most for room.
    private static let maximumPongs = 64

    mutating func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        WebSocketFrame.bytes(
            opcode,
            payload: payload.span,
            maskingKey: UInt32.random(in: .min ... .max, using: &generator)
        )
    }

    /// Hands bytes to the connection, which has room for them.
    mutating func put(_ bytes: [UInt8]) {
        guard connection?.send(bytes) == .accepted else { return }
        queuedBytes += Int64(bytes.count)
    }

    private var maySend: Bool {
        machine.isSending && (!isSuspended || machine.state == .closingSoon)
    }

    /// Makes frames as long as there is room for them.
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
        for completion in outbox.sent(upTo: position) { tell { _ in completion(nil) } }
        pump()
    }

    /// Sends what `closing` says, and lets the server end the connection.
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
            // Should the server take nothing more, that mustn't last for ever.
            connection?.setIdleLimit(limits.close)
            pump()
        case .sendClose:
            sendClose(within: limits.end)
        case .awaitEnd:
            connection?.close(within: limits.end, awaitsPeer: true)
        case .end(let says):
            if says { put(frame(.close, [])) }
            end(says: says)
        }
    }

    /// Ends the connection, if there is one, and everything with it.
    private mutating func end(says: Bool) {
        let error = machine.failure ?? .cancelled
        inbox.removeAll()
        failAll(error)
        if let connection {
            if says { connection.close(within: .zero) } else { connection.cancel() }
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

    /// Reads the server's answer. Answers how many bytes it had, once it is complete and good.
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
            tell { delegate?.webSocket($0, didOpenWith: subprotocol, head: head) }
            pump()
            return true
        } catch {
            tell { delegate?.webSocket($0, wasRefusedWith: head) }
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
                tell { _ in receiver(.success(message)) }
            }
        case .ping(let payload):
            // Only the last of several needs an answer (RFC 6455, section 5.5.3).
            if pongs.count >= Self.maximumPongs { pongs.removeFirst() }
            pongs.append(payload)
        case .pong(let payload):
            for completion in pings.answered(by: payload) { tell { _ in completion(nil) } }
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
        tell { delegate?.webSocket($0, didReceiveClose: received, reason: reason) }
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

    /// The connection is over, or there never was one.
    mutating func ended(_ error: TransportError?) {
        let mayBeAttemptedAnew = mayBeAttemptedAnew
        guard let end = machine.ended(error) else { return }
        connection = nil
        if mayBeAttemptedAnew {
            machine = WebSocketStateMachine()
            opening = nil
        } else {
            self.end = end.reason
            if let status = end.status, closed == nil { closed = (status, "") }
            failReceivers(end.reason)
            failSenders(end.reason)
        }
        guard let delegate else { return }
        self.delegate = nil
        tell { delegate.webSocket($0, didCompleteWith: end.error, status: end.status) }
    }
}
