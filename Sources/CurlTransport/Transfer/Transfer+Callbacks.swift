internal import Curl
internal import HTTPTypes

// What libcurl calls while it works, always on the loop thread and from inside libcurl: nothing
// here touches the multi handle.

extension Transfer: EasyCallbacks {
    func received(headerLine: Span<UInt8>) -> EasyDataAction {
        lastActivity = driver.now
        guard !driver.isCancelled(self) else { return end(with: .cancelled) }
        if let hop, !hop.isConnected, plan.options.reportsTunnels(isSecure: endpoint.isSecure) {
            return received(tunnelLine: headerLine, of: hop)
        }
        if !hasHeadMemory, !parser.hasFinalHead {
            hasHeadMemory = true
            parser.borrow(&driver.headMemory)
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
            giveHeadMemoryBack()
            guard isToldThatRequestIsSent() else { return end(with: .cancelled) }
            guard machine.state == .running else { return .accept }
            driver.touch(self)
            delegate.transfer(handle, didReceiveInformational: head)
            return .accept
        case .restarted:
            // libcurl asks again by itself for credentials' sake, and over HTTP/1.1 where a stream
            // was reset for that. What has been delivered can't be taken back.
            guard hop?.hasHead != true else {
                return end(with: .invalidResponse("the server sent another response"))
            }
            hop?.provisionalHead = nil
            return .accept
        case .head(let head):
            giveHeadMemoryBack()
            guard isToldThatRequestIsSent() else { return end(with: .cancelled) }
            return received(head)
        }
    }

    /// What the proxy says comes before the connection to the server is there.
    private func received(tunnelLine line: Span<UInt8>, of hop: Hop) -> EasyDataAction {
        let heads = hop.tunnelHeads ?? TunnelHeads(limits: options.responseHeadLimits)
        hop.tunnelHeads = heads
        do {
            guard let head = try heads.receive(line) else { return .accept }
            driver.touch(self)
            delegate.transfer(handle, didReceiveTunnelHead: head)
            return .accept
        } catch {
            return end(with: error)
        }
    }

    private func giveHeadMemoryBack() {
        hasHeadMemory = false
        parser.giveBack(to: &driver.headMemory)
    }

    /// Before a head is told of; false if the transfer was cancelled at that.
    private func isToldThatRequestIsSent() -> Bool {
        tellRequestSent()
        return !driver.isCancelled(self)
    }

    /// A head that is not informational is complete.
    private func received(_ head: ResponseHead) -> EasyDataAction {
        guard let hop else { return .abort }
        // Where credentials take several rounds, libcurl answers such a head by itself, and only
        // what comes next tells whether it did.
        let code = head.statusCode
        if code == 401 || code == 407, plan.options.answersChallenges, sendsCredentials {
            hop.provisionalHead = head
            return .accept
        }
        return accept(head)
    }

    /// `head` is the hop's response.
    func accept(_ head: ResponseHead) -> EasyDataAction {
        guard let hop, machine.state == .running else { return .accept }
        hop.hasHead = true
        hop.isRefused = head.statusCode >= 400
        hop.hasBody = head.mayHaveBody && request.method != .head
        do {
            try check(head, of: hop)
        } catch {
            return end(with: error)
        }
        driver.learnVersion(from: head, of: self)
        switch RedirectRule.decide(
            on: head,
            request: request,
            count: redirectCount,
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

    /// Reads what the head says about its body, where one follows.
    private func check(_ head: ResponseHead, of hop: Hop) throws(TransportError) {
        // Source: RFC 9110, section 15.2.2.
        if head.statusCode == 101, request.headerFields[.upgrade] == nil {
            throw .invalidResponse("the server switches to a protocol that it wasn't asked for")
        }
        guard hop.hasBody else { return }
        hop.contentLength = try head.framing.length
        hop.isDecoded = head.framing.isEncoded && options.decodesContent
        if hop.isDecoded { hop.expansionLimit = options.expansionLimit }
    }

    private func propose(_ redirect: Redirect, head: ResponseHead) -> EasyDataAction {
        driver.touch(self)
        self.redirect = redirect
        redirectHead = head
        switch delegate.transfer(handle, willFollow: redirect) {
        case .follow:
            machine.redirectAccepted()
        case .followChanged(let request):
            self.redirect?.request = request
            machine.redirectAccepted()
        case .refuse:
            self.redirect = nil
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
            isReceivingPaused = true
            return .accept
        case .cancel:
            return end(with: .cancelled)
        }
    }

    func received(body bytes: Span<UInt8>) -> EasyDataAction {
        guard let hop else { return .abort }
        lastActivity = driver.now
        guard !driver.isCancelled(self) else { return end(with: .cancelled) }
        if let head = hop.provisionalHead {
            hop.provisionalHead = nil
            guard accept(head) == .accept else { return .abort }
        }
        switch machine.bodyArrived(bytes.count) {
        case .discard:
            return .accept
        case .abort:
            return .abort
        case .pause:
            hop.isReceivingHeldBack = true
            return .pause
        case .deliver:
            guard !isReceivingPaused else {
                hop.isReceivingHeldBack = true
                return .pause
            }
        }
        driver.touch(self)
        hop.turnBytes += bytes.count
        guard hop.turnBytes <= Driver.maximumTurnBytes else {
            hop.isReceivingHeldBack = true
            driver.goOnNextTurn(with: self)
            return .pause
        }
        hop.bodyBytes += Int64(bytes.count)
        if let limit = hop.exceededLimit {
            return end(with: .expandsTooFar(limit, url: redactedURL))
        }
        switch delegate.transfer(handle, didReceiveBody: bytes) {
        case .proceed:
            if hop.bodyBytes != hop.contentLength { driver.movedBytes += bytes.count }
            return .accept
        case .pause:
            isReceivingPaused = true
            driver.movedBytes = 0
            return .accept
        case .cancel:
            return end(with: .cancelled)
        }
    }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction {
        guard let hop, let body else { return .endOfBody }
        guard !hop.isRefused else { return .endOfBody }
        guard !isSendingPaused else {
            hop.isSendingHeldBack = true
            return .pause
        }
        switch body.fill(&output) {
        case .bytes:
            lastActivity = driver.now
            driver.touch(self)
            driver.movedBytes += output.count
            if body.sent == body.length { hop.hasSentRequest = true }
            return .bytes
        case .nothingYet:
            hop.isSendingHeldBack = true
            return .pause
        case .end:
            hop.hasSentRequest = true
            driver.touch(self)
            return .endOfBody
        case .failure(let error):
            fail(error)
            return .abort
        }
    }

    func seekRequestBody(to offset: Int64) -> EasySeekAction {
        // libcurl only ever goes back to the start.
        guard offset == 0, let body, body.rewind() else { return .impossible }
        hop?.hasSentRequest = false
        return .done
    }

    func readyToSend() -> Bool {
        guard let hop else { return false }
        driver.lookupAnswered(hop, at: origin)
        guard !driver.isCancelled(self) else {
            fail(.cancelled)
            return false
        }
        if hop.endpoint.isSecure {
            hop.tls = hop.easy.handle.tls
            guard trustsServer(hop) else { return false }
        }
        guard mayStillSend(hop) else {
            fail(.unanswered)
            return false
        }
        let now = driver.now
        hop.isConnected = true
        if hop.sendingStarted == nil { hop.sendingStarted = now }
        lastActivity = now
        // libcurl asks for nothing more in these cases.
        if body.map({ $0.smallBytes != nil || $0.length == 0 }) ?? true {
            hop.hasSentRequest = true
        }
        driver.touch(self)
        return true
    }

    /// Whether the request is sent for the first time, or answers a head that asks for credentials, or may
    /// be repeated.
    private func mayStillSend(_ hop: Hop) -> Bool {
        options.resendsUnanswered || hop.sendingStarted == nil || hop.provisionalHead != nil
    }

    func openedSocket(_ descriptor: Int32) {
        driver.reactor.socketOpened(descriptor, for: id.rawValue)
        hop?.isConnected = false
        if options.tls.evaluatesServerTrust { hop?.openedSockets.insert(descriptor) }
        driver.lookupAnswered(hop, at: origin)
    }

    func said(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {
        guard !driver.isCancelled(self) else { return }
        var lines = TransferLog.lines(kind, bytes)[...]
        if kind == .headerSent, let hop, !bytes.isEmpty {
            // A long head goes out in pieces; what a cut line says isn't known.
            if hop.isSentLineOpen { lines = lines.dropFirst() }
            hop.isSentLineOpen = bytes[bytes.count - 1] != UInt8(ascii: "\n")
        }
        for line in lines {
            delegate.transfer(handle, didLog: line)
        }
    }

    private func end(with error: TransportError) -> EasyDataAction {
        fail(error)
        return .abort
    }
}

extension Transfer {
    /// Tells how far the request is sent; at the end of a turn, or before the response's head.
    func tellRequestSent() {
        guard let hop, !hop.hasToldRequestSent || body != nil, !machine.isCompleted,
            !driver.isCancelled(self)
        else { return }
        if let body {
            let sent = body.smallBytes.map { hop.hasSentRequest ? Int64($0.count) : 0 } ?? body.sent
            if sent > bytesSentToldOf {
                bytesSentToldOf = sent
                delegate.transfer(handle, didSendBodyBytes: sent, of: body.length)
            }
        }
        guard hop.hasSentRequest, !hop.hasToldRequestSent, !driver.isCancelled(self) else { return }
        hop.hasToldRequestSent = true
        delegate.transferDidSendRequest(handle)
    }

    /// Tells how much has come of a body that libcurl decodes; at the end of a turn, or of the hop.
    func tellEncodedBytes() {
        guard let hop, hop.isDecoded, machine.state == .running, !driver.isCancelled(self),
            let received = hop.easy.handle.get(.sizeDownload), received > hop.encodedBytesToldOf
        else { return }
        hop.encodedBytesToldOf = received
        delegate.transfer(handle, didReceiveEncodedBodyBytes: received)
    }
}
