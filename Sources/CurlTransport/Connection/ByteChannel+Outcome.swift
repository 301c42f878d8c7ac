internal import Curl

// What a connection makes of failures, of certificates and of time limits.

extension ByteChannel {
    /// Why connecting failed, or what it fails of later. Our own reason comes first.
    func error(after hop: Hop, code: CurlCode) -> TransportError {
        if let failure { return failure }
        var context = hop.failureContext(
            url: endpoint.origin,
            usesProxy: plan.options.usesProxy(isSecure: endpoint.isSecure)
        )
        context.bytesSent = bytesSent
        context.bytesReceived = bytesReceived
        // libcurl finds no connection where it has closed it.
        let isGone = machine.state == .open && code == .unsupportedProtocol
        return TransportError(curlCode: isGone ? .recvError : code, context: context)
    }

    /// The error for a time limit that has passed.
    func timeout(_ code: TransportError.Code) -> TransportError {
        let limit: Duration? =
            switch code {
            case .connectTimeout: options.timeouts.connect
            case .idleTimeout: idleLimit.map { .nanoseconds($0) }
            default: plan.totalLimit.map { .nanoseconds($0) }
            }
        let context = hop?.failureContext(
            url: endpoint.origin,
            usesProxy: plan.options.usesProxy(isSecure: endpoint.isSecure)
        )
        let phase = context?.phase ?? .queued
        let named = code == .connectTimeout && phase == .tls ? .tlsTimeout : code
        return timedOut(named, after: limit ?? .zero, phase: phase)
    }

    /// The error for bytes that couldn't be sent in the time that was left for them.
    func unsent(within limit: Int64) -> TransportError {
        timedOut(.idleTimeout, after: .nanoseconds(limit), phase: .sending)
    }

    private func timedOut(
        _ code: TransportError.Code,
        after limit: Duration,
        phase: TransportError.Phase
    ) -> TransportError {
        var error = TransportError.timedOut(code, after: limit, phase: phase, url: endpoint.origin)
        error.bytesSent = bytesSent
        error.bytesReceived = bytesReceived
        return error
    }

    func addMetrics(of hop: Hop) {
        let noted = notedFacts ?? driver.takeFacts()
        notedFacts = noted
        noted.facts.add(
            hop,
            over: driver.connections.facts(of: hop),
            submitted: plan.submitted,
            queueTime: queueTime,
            content: 0
        )
        noted.facts.requestBytes = bytesSent
        noted.facts.responseBytes = bytesReceived
        noted.facts.bodyBytes = bytesReceived
    }

    // MARK: Trust

    /// Whether the attempt is to be repeated without verification, so that the delegate can see the
    /// certificates and has the last word.
    func asksAgain(after error: TransportError, code: CurlCode) -> Bool {
        guard options.tls.evaluatesServerTrust, failure == nil, code == .peerFailedVerification,
            !trust.isLenient
        else { return false }
        trust.verdict = error
        trust.isLenient = true
        return true
    }

    /// What there is to ask about the server of `hop`; nil where nothing is.
    func question(about hop: Hop) -> ServerTrust? {
        guard endpoint.isSecure, options.tls.evaluatesServerTrust else { return nil }
        let certificates = hop.easy.handle.certificates.map(ServerTrust.pem)
        let approval = TrustApproval(origin: endpoint.identity, certificates: certificates)
        guard !driver.approvals.contains(approval) else { return nil }
        return ServerTrust(
            host: endpoint.host,
            port: Int(endpoint.port),
            certificates: certificates,
            failure: trust.verdict
        )
    }

    /// Applies an answer. False if the server isn't trusted; the reason is recorded then.
    func settle(_ decision: TrustDecision, on question: ServerTrust) -> Bool {
        switch decision {
        case .accept:
            break
        case .useVerdict:
            guard question.failure == nil else {
                fail(question.failure ?? .trustRefused(url: endpoint.origin))
                return false
            }
        case .reject, .later:
            fail(.trustRefused(url: endpoint.origin))
            return false
        }
        guard !question.certificates.isEmpty else { return true }
        driver.approve(
            TrustApproval(origin: endpoint.identity, certificates: question.certificates),
            isLenient: question.failure != nil
        )
        return true
    }
}
