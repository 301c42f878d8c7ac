internal import Curl
internal import Posix

// Errors, trust decisions and timeouts of a connection for bytes.

extension ByteChannel {
    /// The reason why connecting, or the open connection, failed. A recorded reason takes
    /// precedence.
    func error(after attempt: TransferAttempt, code: CurlCode) -> TransportError {
        if let failure { return failure }
        if let refused = attempt.connection.refusals.all {
            return .addressRefused(refused, host: endpoint.host, url: endpoint.origin)
        }
        // Before the connection is open, only a proxy sends header lines.
        if machine.state != .open, code == .badFunctionArgument,
            plan.options.reportsTunnels(isSecure: endpoint.isSecure)
        {
            return .unstorableLine(from: "proxy", code, context(of: attempt))
        }
        // libcurl reports this code if it has closed the connection.
        let isGone = machine.state == .open && code == .unsupportedProtocol
        var error = TransportError(
            curlCode: isGone ? .recvError : code,
            context: context(of: attempt)
        )
        attempt.connection.refusals.explain(&error)
        return error
    }

    private func context(of attempt: TransferAttempt) -> FailureContext {
        var context = attempt.failureContext(
            url: endpoint.origin,
            usesProxy: plan.options.usesProxy(isSecure: endpoint.isSecure)
        )
        context.lacksIdentity =
            endpoint.isSecure && !context.usesProxy && options.tls.clientIdentity == nil
        context.bytesSent = outgoing.sentBytes
        context.bytesReceived = bytesReceived
        return context
    }

    /// The error for a timeout that has expired.
    func timeout(_ code: TransportError.Code) -> TransportError {
        let limit: Duration? =
            switch code {
            case .poolTimeout: options.timeouts.queue
            case .connectTimeout: options.timeouts.connect
            case .idleTimeout: idleLimit.map { .nanoseconds($0) }
            default: plan.totalLimit.map { .nanoseconds($0) }
            }
        return timedOut(code, after: limit)
    }

    /// The error for bytes that couldn't be sent within the limit for closing.
    func unsent(within limit: Int64) -> TransportError {
        timedOut(.idleTimeout, after: .nanoseconds(limit), phase: .sending)
    }

    private func timedOut(
        _ code: TransportError.Code,
        after limit: Duration?,
        phase: TransportError.Phase? = nil
    ) -> TransportError {
        .timedOut(
            code,
            after: limit,
            phase: phase,
            context: attempt.map { context(of: $0) },
            url: endpoint.origin
        )
    }

    func addMetrics(of attempt: TransferAttempt) {
        driver.metrics.add(attempt, to: &metricsBuilder, submitted: plan.submitted, entry: entry)
        metricsBuilder?.measurements.requestBytes = outgoing.sentBytes
        metricsBuilder?.measurements.responseBytes = bytesReceived
        metricsBuilder?.measurements.bodyBytes = bytesReceived
    }

    // MARK: Trust

    /// Whether to repeat the attempt without verification.
    ///
    /// The delegate then sees the certificates and decides.
    func retriesUnverified(after error: TransportError, code: CurlCode) -> Bool {
        guard options.tls.evaluatesServerTrust, failure == nil else { return false }
        return trust.skipsVerification(after: error, code: code)
    }

    /// The question for the delegate about the server of `attempt`; nil if the delegate isn't asked.
    func question(about attempt: TransferAttempt) -> ServerTrust? {
        guard endpoint.isSecure, options.tls.evaluatesServerTrust else { return nil }
        return ServerTrust(
            of: attempt,
            certificates: ServerTrust.certificates(of: attempt),
            failure: trust.verificationError
        )
    }

    /// Applies the delegate's answer. Returns false and records the reason if the server isn't
    /// trusted.
    func settle(_ decision: TrustDecision, on question: ServerTrust) -> Bool {
        switch decision {
        case .accept:
            break
        case .performDefaultHandling:
            guard question.failure == nil else {
                fail(question.failure ?? .trustRefused(url: endpoint.origin))
                return false
            }
        case .reject, .later:
            fail(.trustRefused(url: endpoint.origin))
            return false
        }
        return true
    }
}
