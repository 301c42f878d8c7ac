internal import Curl
internal import Posix

// Trust evaluation by the delegate. The delegate is called for each new connection. A decision
// applies to that connection, and to the retry of the attempt that it was made for.
//
// libcurl verifies the certificates, and the delegate gets the chain before the request is sent. If
// the delegate decides at once, the request is sent or not. If it decides later, or if libcurl's
// verification failed, the attempt is aborted and retried after the decision: 7.88 has no way to
// wait.

extension Transfer {
    /// Whether the request may be sent over the connection of `attempt`. libcurl calls it before
    /// sending.
    func trustsServer(_ attempt: TransferAttempt) -> Bool {
        guard options.tls.evaluatesServerTrust else { return true }
        let certificates = ServerTrust.certificates(of: attempt)
        guard !certificates.isEmpty else {
            // A reused connection presents no certificates. It is valid if it was approved when
            // new. Of a unix socket's connections it isn't known which one libcurl has chosen.
            if attempt.connection.socket?.isTrusted == true { return true }
            guard !trust.needsFreshConnection else {
                fail(.unsupportedFeature("way to show a server's certificates"))
                return false
            }
            trust.needsFreshConnection = true
            trust.next = .retry
            return false
        }
        if trust.accepted.contains(certificates) {
            attempt.connection.socket?.isTrusted = true
            return true
        }
        let failure = trust.verificationError ?? knownFailure(of: certificates, attempt)
        guard !trust.isLenient || failure != nil else {
            // The origin had another chain before, so this one must be verified.
            trust.verifyAgain()
            return false
        }
        guard trust.accepted.count < TrustState.maximumAccepted else {
            fail(.changingCertificates(limit: TrustState.maximumAccepted, url: redactedURL))
            return false
        }
        let question = ServerTrust(of: attempt, certificates: certificates, failure: failure)
        trust.question = question
        driver.touch(self)
        switch delegate.transfer(handle, didReceive: question) {
        case .later:
            trust.next = .ask
            // Over HTTP/2, libcurl keeps a connection whose first request is aborted, and offers it
            // to each request. It may be used when the delegate has accepted, and not before.
            trust.askedSocket = attempt.connection.socket
            return false
        case let decision:
            guard settle(decision, on: question) == .accepted else { return false }
            attempt.connection.socket?.isTrusted = true
            return true
        }
    }

    /// Whether to fail because the server requests a client certificate, and there is none.
    ///
    /// That is decided once for each connection. Until then, it may have served transfers that don't
    /// ask. Remembers the request also if the delegate decides on the server's certificate first.
    func findsIdentityMissing(on attempt: TransferAttempt) -> Bool {
        guard options.tls.clientIdentity == nil else { return false }
        let socket = attempt.connection.socket
        if socket?.hasServed != true, attempt.easy.handle.isCertificateRequested {
            driver.trustCache.certificateRequested(by: trustOrigin)
            guard let socket else { return asksForIdentity }
            socket.requestsIdentity = true
        }
        guard let socket, socket.requestsIdentity else { return false }
        if options.tls.declinesIdentity { socket.isIdentityDeclined = true }
        return asksForIdentity && !socket.isIdentityDeclined
    }

    /// Fails the transfer, whose server requests a client certificate, and closes its connection.
    func failWithoutIdentity(_ attempt: TransferAttempt) {
        fail(.certificateRequested(url: redactedURL))
        // Over HTTP/2, libcurl would keep a new connection for later requests. On one that was used,
        // others may have streams.
        guard attempt.connection.socket?.hasServed != true else { return }
        driver.closeConnection(after: attempt)
    }

    /// Whether the transfer fails if the server requests a client certificate.
    var asksForIdentity: Bool {
        options.tls.failsOnCertificateRequest && options.tls.clientIdentity == nil
    }

    /// The recent verification error of `certificates`, if this attempt doesn't verify them.
    private func knownFailure(of certificates: [String], _ attempt: TransferAttempt)
        -> TransportError?
    {
        guard trust.isLenient,
            let known = driver.trustCache.failure(of: chain(certificates), at: driver.now)
        else { return nil }
        var context = context(of: attempt)
        context.verifyResult = known.verifyResult
        context.errorBuffer = known.text
        return TransportError(curlCode: .peerFailedVerification, context: context)
    }

    private func chain(_ certificates: [String]) -> VerifiedChain {
        VerifiedChain(
            origin: trustOrigin,
            certificates: certificates,
            roots: options.tls.trustRoots,
            versions: plan.options.files(isSecure: true, at: driver.now, opensConnection: false)?
                .numbers ?? []
        )
    }

    /// Applies a decision. If the server isn't trusted, records the error.
    func settle(_ decision: TrustDecision, on question: ServerTrust) -> TrustState.Settlement {
        switch decision {
        case .accept:
            break
        case .performDefaultHandling:
            if let failure = question.failure {
                guard trust.verificationError != nil else {
                    trust.verifyAgain()
                    return .verifyAgain
                }
                fail(failure)
                return .refused
            }
        case .reject, .later:
            fail(.trustRefused(url: redactedURL))
            return .refused
        }
        accept(question)
        return .accepted
    }

    private func accept(_ question: ServerTrust) {
        trust.accepted.append(question.certificates)
        if question.failure == nil {
            driver.trustCache.verified(trustOrigin)
        } else if trust.verificationError != nil, let verification = trust.verification {
            driver.trustCache.accepted(chain(question.certificates), verification, at: driver.now)
        } else {
            driver.trustCache.accepted(trustOrigin)
        }
        trust.askedSocket?.isTrusted = true
        trust.askedSocket = nil
    }

    /// Whether a failed attempt is retried for trust evaluation.
    func repeatsForTrust(after error: TransportError, code: CurlCode) -> Bool {
        guard options.tls.evaluatesServerTrust, failure == nil else { return false }
        if trust.next != nil { return true }
        guard trust.skipsVerification(after: error, code: code) else { return false }
        trust.next = .retry
        return true
    }
}
