internal import ContentCoding
internal import Curl
internal import HTTPTypes
internal import Posix

// libcurl calls these methods on the loop thread, from within its own calls. So nothing here uses
// the multi handle.

extension Transfer: EasyCallbacks {
    private static let headsMayStall = !CurlVersion.current.isAtLeast(8, 0)

    func received(headerLine: Span<UInt8>) -> EasyDataAction {
        lastActivity = driver.now
        guard !driver.isCancelled(self) else { return end(with: .cancelled) }
        if let attempt, !attempt.connection.isEstablished,
            plan.options.reportsTunnels(isSecure: endpoint.isSecure)
        {
            return received(tunnelLine: headerLine, of: attempt)
        }
        if Self.headsMayStall, mayUseHTTP2 { driver.streamChecks.receivedHeadLine(of: self) }
        // A head after an invalid one has begun in the parser's own memory.
        if !hasHeadMemory, !parser.hasBegun {
            hasHeadMemory = true
            parser.borrow(&driver.buffers.head)
        }
        let event: ResponseHeadParser.Event
        do {
            event = try parser.receive(headerLine)
        } catch {
            return end(with: error)
        }
        switch event {
        case .none:
            return .accept
        case .informational(let head):
            returnHeadMemory()
            guard reportRequestSentBeforeHead() else { return end(with: .cancelled) }
            guard machine.state == .running else { return .accept }
            driver.touch(self)
            delegate.transfer(handle, didReceiveInformational: head)
            return .accept
        case .restarted:
            // libcurl repeats the request by itself: with credentials, or over HTTP/1.1 if the
            // server has reset a stream for that. A delivered head can't be withdrawn.
            guard attempt?.response.hasHead != true else {
                return end(with: .invalidResponse("the server sent another response"))
            }
            attempt?.response.discardHeldHead()
            return .accept
        case .head(let head):
            returnHeadMemory()
            guard reportRequestSentBeforeHead() else { return end(with: .cancelled) }
            return received(head)
        }
    }

    /// Handles a line of the proxy's head, which precedes the connection to the server.
    private func received(tunnelLine line: Span<UInt8>, of attempt: TransferAttempt)
        -> EasyDataAction
    {
        do {
            let limits = options.responseHeadLimits
            let head = try attempt.connection.receive(tunnelLine: line, limits: limits)
            guard let head, options.reportsTunnels else { return .accept }
            driver.touch(self)
            delegate.transfer(handle, didReceiveTunnelHead: head)
            return .accept
        } catch {
            return end(with: error)
        }
    }

    private func returnHeadMemory() {
        hasHeadMemory = false
        parser.returnMemory(to: &driver.buffers.head)
    }

    /// Reports the sent request before a head. Returns false if the delegate then cancelled the
    /// transfer.
    private func reportRequestSentBeforeHead() -> Bool {
        reportRequestSent()
        return !driver.isCancelled(self)
    }

    /// Handles a complete head that is not informational.
    private func received(_ head: ResponseHead) -> EasyDataAction {
        guard let attempt else { return .abort }
        attempt.connection.isMultiplexed = isMultiplexed(attempt, head)
        if attempt.connection.isMultiplexed {
            attempt.connection.socket?.isMultiplexed = true
        } else {
            attempt.connection.socket?.isSerial = true
        }
        if attempt.connection.isMultiplexed, head.mayHaveBody, head.framing.announcedLength == nil {
            driver.watchStreamEnds()
        }
        // If credentials need several rounds, libcurl may answer such a head itself. Only the next
        // callback shows whether it did.
        let code = head.statusCode
        if code == 401 || code == 407, plan.options.answersChallenges, sendsCredentials {
            attempt.response.hold(head)
            return .accept
        }
        return accept(head)
    }

    /// Handles `head` as the response of the attempt.
    func accept(_ head: ResponseHead) -> EasyDataAction {
        guard let attempt, machine.state == .running else { return .accept }
        attempt.response.accept(head, ofHeadRequest: request.method == .head)
        if head.isHTTP3 {
            attempt.connection.socket?.isHTTP3 = true
            if attempt.connection.tls == nil, attempt.endpoint.isSecure {
                attempt.connection.tls = .quic
            }
        }
        do {
            try check(head, of: attempt)
        } catch {
            return end(with: error)
        }
        driver.learnVersion(of: self)
        driver.learnAltSvc(from: head, of: self)
        driver.limitIdleConnections(after: attempt)
        driver.closeSurplusConnection(of: self, attempt)
        driver.closeUnneededConnection(of: self, after: head)
        guard (300..<400).contains(head.statusCode) else { return deliver(head) }
        switch RedirectRule.decide(
            on: head,
            request: request,
            count: redirects.count,
            policy: options.redirects
        )
        {
        case .deliver:
            return deliver(head)
        case .fail(let error):
            return end(with: error)
        case .follow(let redirect):
            return propose(redirect, head: head)
        }
    }

    /// Evaluates the fields about the body, if there is one.
    private func check(_ head: ResponseHead, of attempt: TransferAttempt) throws(TransportError) {
        // Source: RFC 9110, section 15.2.2.
        if head.statusCode == 101, request.headerFields[.upgrade] == nil {
            throw .invalidResponse("the server switches to a protocol that wasn't requested")
        }
        guard attempt.response.hasBody else { return }
        attempt.response.contentLength = try head.framing.length
        try head.framing.checkTransferCoding()
        guard head.framing.isEncoded, options.decodesContent else { return }
        attempt.decoding.start(
            ContentDecoder(head.values(of: "Content-Encoding")),
            limit: options.decompressionLimit
        )
    }

    private func propose(_ redirect: Redirect, head: ResponseHead) -> EasyDataAction {
        driver.touch(self)
        redirects.propose(redirect, head: head)
        switch delegate.transfer(handle, willFollow: redirect) {
        case .follow:
            machine.redirectAccepted()
        case .followChanged(let request):
            redirects.change(request)
            machine.redirectAccepted()
        case .refuse:
            redirects.take()
            return deliver(head)
        case .later:
            machine.redirectAsked()
        }
        return .accept
    }

    func deliver(_ head: ResponseHead) -> EasyDataAction {
        driver.touch(self)
        switch delegate.transfer(handle, didReceive: head) {
        case .proceed:
            return .accept
        case .pause:
            paused.receiving = true
            return .accept
        case .cancel:
            return end(with: .cancelled)
        }
    }

    func received(body bytes: Span<UInt8>) -> EasyDataAction {
        guard let attempt else { return .abort }
        lastActivity = driver.now
        guard !driver.isCancelled(self) else { return end(with: .cancelled) }
        if let head = attempt.response.takeHeldHead() {
            guard accept(head) == .accept else { return .abort }
        }
        switch machine.bodyArrived(bytes.count) {
        case .discard:
            return .accept
        case .abort:
            return .abort
        case .pause:
            attempt.heldBack.receiving = true
            return .pause
        case .deliver:
            guard !paused.receiving else {
                attempt.heldBack.receiving = true
                return .pause
            }
        }
        driver.touch(self)
        if let decoder = attempt.decoding.decoder {
            return received(encoded: bytes, of: attempt, by: decoder)
        }
        attempt.turnBytes += bytes.count
        guard attempt.turnBytes <= LoopDriver.maximumTurnBytes else {
            return holdBackUntilNextRound(attempt)
        }
        attempt.response.bodyBytes += Int64(bytes.count)
        switch delegate.transfer(handle, didReceiveBody: bytes) {
        case .proceed:
            if attempt.response.bodyBytes != attempt.response.contentLength {
                driver.round.movedBytes += bytes.count
            }
            return .accept
        case .pause:
            paused.receiving = true
            driver.round.movedBytes = 0
            return .accept
        case .cancel:
            return end(with: .cancelled)
        }
    }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction {
        guard let attempt, let body else { return .endOfBody }
        guard !attempt.response.isRefusal else { return .endOfBody }
        guard !paused.sending else {
            attempt.heldBack.sending = true
            return .pause
        }
        switch body.fill(&output) {
        case .bytes:
            lastActivity = driver.now
            driver.touch(self)
            driver.round.movedBytes += output.count
            if body.sent == body.length { attempt.sending.isComplete = true }
            return .bytes
        case .pending:
            attempt.heldBack.sending = true
            return .pause
        case .end:
            attempt.sending.isComplete = true
            driver.touch(self)
            return .endOfBody
        case .failure(let error):
            fail(error)
            return .abort
        }
    }

    func seekRequestBody(to offset: Int64) -> EasySeekAction {
        // libcurl seeks only to the start.
        guard offset == 0, let body, body.rewind() else { return .impossible }
        attempt?.sending.isComplete = false
        return .done
    }

    func readyToSend(between ends: ConnectionEnds) -> Bool {
        guard let attempt else { return false }
        retries.lacksStream = false
        attempt.connection.use(
            driver.sockets.socket(between: ends, opened: attempt.connection.newSockets)
        )
        driver.lookupAnswered(attempt, at: origin)
        guard !driver.isCancelled(self) else {
            fail(.cancelled)
            return false
        }
        // Before questions, whose answers start the request again: a request that the server may have
        // acted on isn't repeated for them.
        let resending = resending(of: attempt)
        if case .never(let error) = resending {
            fail(error)
            return false
        }
        guard mayUseConnection(between: ends, of: attempt) else { return false }
        if driver.exceedsStreamLimit(attempt, at: origin) { return waitForStream() }
        if attempt.endpoint.isSecure {
            attempt.connection.tls = attempt.easy.handle.tls
            let isIdentityMissing = findsIdentityMissing(on: attempt)
            guard trustsServer(attempt) else { return false }
            if isIdentityMissing {
                failWithoutIdentity(attempt)
                return false
            }
        }
        switch sending(of: attempt, between: ends, after: resending) {
        case .here:
            break
        case .overNewConnection:
            // libcurl may have read a part of the body for another connection.
            if body?.rewind() ?? true {
                retries.repetition = .newConnection
            } else {
                fail(.unanswered)
            }
            return false
        case .never(let error):
            fail(error)
            return false
        }
        driver.established(attempt, at: origin)
        lastActivity = driver.now
        // In these cases, libcurl requests no more of the body.
        if body.map({ $0.smallBytes != nil || $0.length == 0 }) ?? true {
            attempt.sending.isComplete = true
        }
        driver.touch(self)
        return true
    }

    func openedSocket(_ descriptor: Int32) {
        driver.reactor.socketOpened(descriptor, for: id.rawValue)
        attempt?.connection.opened(newSocket(descriptor))
        driver.lookupAnswered(attempt, at: origin)
    }

    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {
        if kind == .text {
            noteUnprocessed(bytes)
            if let trace = StreamTrace(bytes) { received(trace) }
            if let trace = HTTP3Trace(bytes) { attempt?.stream.note(trace) }
            if StreamTrace.isTrace(bytes) { return }
        }
        guard options.isVerbose, !driver.isCancelled(self) else { return }
        var lines = TransferLog.lines(kind, bytes)[...]
        if kind == .headerSent, let attempt, !bytes.isEmpty {
            // A long head is logged in pieces. The rest of a cut line isn't logged.
            if attempt.sending.continuesLine(bytes) { lines = lines.dropFirst() }
        }
        for line in lines {
            delegate.transfer(handle, didLog: line)
        }
    }

    func end(with error: TransportError) -> EasyDataAction {
        fail(error)
        driver.retireConnection(of: self)
        return .abort
    }

    /// Pauses the body, which has used its share of this turn.
    func holdBackUntilNextRound(_ attempt: TransferAttempt) -> EasyDataAction {
        attempt.heldBack.receiving = true
        driver.resumeInNextRound(self)
        return .pause
    }
}

extension Transfer {
    /// Reports the progress of sending; at the end of a turn, or before the response's head.
    func reportRequestSent() {
        guard let attempt, !attempt.sending.isReported || body != nil, !machine.isCompleted,
            !driver.isCancelled(self)
        else { return }
        if let body {
            let sent =
                body.smallBytes.map { attempt.sending.isComplete ? Int64($0.count) : 0 }
                ?? body.sent
            if sent > reportedBytesSent {
                reportedBytesSent = sent
                delegate.transfer(handle, didSendBodyBytes: sent, of: body.length)
            }
        }
        guard attempt.sending.isComplete, !attempt.sending.isReported, !driver.isCancelled(self)
        else {
            return
        }
        attempt.sending.isReported = true
        delegate.transferDidSendRequest(handle)
    }

    /// Reports how much of an encoded body was received.
    ///
    /// Called before a decoded piece is delivered, and at the end of a turn or attempt.
    func reportEncodedBytes() {
        guard let attempt, attempt.decoding.hasUnreportedBytes,
            machine.state == .running,
            !driver.isCancelled(self)
        else { return }
        attempt.decoding.reported()
        delegate.transfer(handle, didReceiveEncodedBodyBytes: attempt.decoding.encodedBytes)
    }
}
