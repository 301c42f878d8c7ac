internal import Curl
internal import HTTPTypes
internal import Posix

// The handling of an attempt's end, of a redirect and of a timeout.

extension Transfer {
    /// The URL for messages, without user name, password, query and fragment.
    var redactedURL: String {
        let path = request.path ?? "/"
        return endpoint.origin + path.prefix { $0 != "?" && $0 != "#" }
    }

    var originKey: OriginKey {
        OriginKey(
            origin: endpoint.identity,
            route: plan.options.route,
            hasName: plan.options.needsLookup(of: endpoint)
        )
    }

    /// The origin for which a certificate verification is remembered.
    var trustOrigin: String { endpoint.identity }

    /// The error of the attempt; nil if it succeeded.
    ///
    /// A recorded error has priority, because libcurl then only reports that a callback aborted.
    func error(after attempt: TransferAttempt, code: CurlCode) -> TransportError? {
        if let failure { return failure }
        if code == .ok {
            return missingHead(of: attempt) ?? missingBytes(of: attempt) ?? missingEnd(of: attempt)
                ?? misplacedTrailers(of: attempt) ?? missingEndOfCoding(of: attempt)
        }
        if let refused = attempt.connection.refusals.all {
            return .addressRefused(refused, host: endpoint.host, url: redactedURL)
        }
        // libcurl stores a field's line before it delivers it, and returns this code if it can't.
        if code == .badFunctionArgument, parser.hasBegun || attempt.connection.isReadingTunnelHead {
            return .unstorableLine(
                from: parser.hasBegun ? "server" : "proxy",
                code,
                context(of: attempt)
            )
        }
        let context = context(of: attempt)
        if code == .peerFailedVerification, options.tls.evaluatesServerTrust {
            trust.verification = VerificationFailure(
                verifyResult: context.verifyResult,
                text: context.errorBuffer
            )
        }
        var error = TransportError(curlCode: code, context: context)
        attempt.connection.refusals.explain(&error)
        return error
    }

    /// The error of resuming a paused attempt.
    ///
    /// Nil if that succeeded, or if the attempt has no connection yet.
    func error(releasing attempt: TransferAttempt, code: CurlCode) -> TransportError? {
        guard code != .ok, code != .badFunctionArgument else { return nil }
        return error(after: attempt, code: code)
    }

    /// The error if the connection ended within the head, which libcurl treats as success.
    private func missingHead(of attempt: TransferAttempt) -> TransportError? {
        guard !attempt.response.hasHead, machine.state == .running else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: attempt))
        error.curlCode = nil
        error.message = "the connection ended within the head of the response."
        return error
    }

    /// The error if an HTTP/2 stream ended before its body, which libcurl before 8.0 accepts.
    private func missingBytes(of attempt: TransferAttempt) -> TransportError? {
        guard let expected = attempt.response.contentLength,
            let received = attempt.easy.handle.get(.sizeDownload),
            received < expected
        else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: attempt))
        error.message = "the response ended after \(received) of \(expected) bytes"
        return error
    }

    /// The error if the server reset the stream before the response ended.
    ///
    /// libcurl treats a reset with `NO_ERROR` or `H3_NO_ERROR` as the end of the response.
    private func missingEnd(of attempt: TransferAttempt) -> TransportError? {
        guard attempt.stream.isReset, attempt.response.hasBodyOfUnknownLength else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: attempt))
        error.curlCode = nil
        error.message =
            "the server reset the stream after \(attempt.response.bodyBytes) bytes, before the response ended."
        return error
    }

    /// The error for trailers over HTTP/3: with OpenSSL's QUIC, libcurl delivers them as body.
    private func misplacedTrailers(of attempt: TransferAttempt) -> TransportError? {
        guard attempt.stream.hasTrailers, CurlVersion.current.usesOpenSSLQUIC,
            attempt.response.hasBodyOfUnknownLength
        else { return nil }
        var error = TransportError(curlCode: .weirdServerReply, context: context(of: attempt))
        error.curlCode = nil
        error.message =
            "the response has trailers, which this libcurl can't tell from the body over HTTP/3. "
            + "Use HTTP/2."
        return error
    }

    /// Corrects libcurl's code for an attempt whose certificate was rejected.
    ///
    /// Over QUIC, libcurl may return the error of another address of the host instead.
    func cause(of code: CurlCode, in attempt: TransferAttempt) -> CurlCode {
        // 1 is libcurl's value before a certificate is verified.
        guard mayUseHTTP3, code == .couldntConnect || code == .quicConnectError,
            context(of: attempt).verifyResult > 1
        else { return code }
        return .peerFailedVerification
    }

    /// All facts that distinguish failures.
    func context(of attempt: TransferAttempt) -> FailureContext {
        var context = attempt.failureContext(
            url: redactedURL,
            usesProxy: plan.options.usesProxy(isSecure: endpoint.isSecure)
        )
        // A proxy's alert can't be distinguished from the server's.
        context.lacksIdentity =
            endpoint.isSecure && !context.usesProxy && options.tls.clientIdentity == nil
        context.bytesSent = body?.sent ?? 0
        context.bytesReceived = attempt.response.bodyBytes
        return context
    }

    func addMetrics(of attempt: TransferAttempt) {
        driver.metrics.add(
            attempt,
            to: &metricsBuilder,
            submitted: plan.submitted,
            entry: entry,
            content: body?.smallBytes?.count ?? 0
        )
    }

    /// Changes the transfer to the redirect's request.
    func follow(_ redirect: Redirect) throws(TransportError) {
        redirects.followed()
        if redirect.keepsBody {
            guard body?.rewind() ?? true else { throw .bodyNotReplayable }
        } else {
            body?.stop()
            body = nil
        }
        request = redirect.request
        let previous = endpoint
        endpoint = try driver.endpoints.endpoint(of: request)
        // Compared again, because the delegate may have changed the target.
        if redirect.dropsCredentials || !endpoint.hasSameOrigin(as: previous) {
            sendsCredentials = false
        }
        try RequestChecks.check(request, body: body == nil ? .none : plan.body)
        trust = TrustState()
        retries = RequestRetries()
        parser = plan.options.makeParser()
        hasHeadMemory = false
        reportedBytesSent = 0
    }

    /// The error for a timeout that has passed.
    func timeout(_ code: TransportError.Code) -> TransportError {
        let timeouts = options.timeouts
        let limit =
            switch code {
            case .poolTimeout: timeouts.queue
            case .connectTimeout: timeouts.connect
            case .firstByteTimeout: timeouts.firstByte
            case .idleTimeout: timeouts.idle
            default: plan.totalLimit.map { Duration.nanoseconds($0) }
            }
        var error = TransportError.timedOut(
            code,
            after: limit,
            context: attempt.map { context(of: $0) },
            url: redactedURL
        )
        // The body's progress outlasts the attempt.
        error.bytesSent = body?.sent ?? 0
        return error
    }

    /// Whether bytes of the request's body were sent since the last call.
    ///
    /// libcurl reads the body in large pieces, and the kernel buffers more than it sends. So with a
    /// slow peer, sending continues for long before libcurl reads the next piece.
    func hasSentInBackground() -> Bool {
        guard let attempt, body != nil, attempt.connection.sendingStarted != nil else {
            return false
        }
        let progress = UploadProgress(
            handedToKernel: attempt.easy.handle.get(.sizeUpload) ?? 0,
            unsent: attempt.easy.handle.activeSocket.map { SocketQueue.unsentBytes(of: $0) } ?? 0
        )
        return attempt.sending.advances(to: progress)
    }
}

extension TransportError {
    /// The error of a header line that libcurl can't store.
    static func unstorableLine(
        from peer: String,
        _ code: CurlCode,
        _ context: FailureContext
    ) -> TransportError {
        var error = TransportError(curlCode: .weirdServerReply, context: context)
        error.curlCode = code.rawValue
        error.message =
            "the \(peer) sent a line that isn't a header field: it has a NUL or no colon, or it "
            + "continues a field but follows none."
        return error
    }
}
