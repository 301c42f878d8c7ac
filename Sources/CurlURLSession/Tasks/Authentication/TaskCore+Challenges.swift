internal import CurlTransport
internal import Foundation
internal import Synchronization

// Asks the delegate for credentials, and whether to trust the server.

extension TaskCore {
    private typealias Answer =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    // MARK: HTTP

    func ask(_ round: ChallengeRound, _ step: TaskStep) {
        let (failureCount, response) = state.withLock { state in
            (
                round.first.map { state.exchange.authentication.failureCount(for: $0.space) } ?? 0,
                state.exchange.load?.currentResponse
            )
        }
        let proposal = self.proposal(for: round, step.session)
        guard let space = round.first?.space else {
            return self.answer(to: step.number, round, .useCredential, nil, proposal: nil)
        }
        let answer: Answer = { [self, number = step.number] disposition, credential in
            self.answer(
                to: number,
                round,
                disposition,
                credential,
                proposal: failureCount == 0 ? proposal : nil
            )
        }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: proposal,
            previousFailureCount: failureCount,
            failureResponse: response,
            error: nil,
            sender: ChallengeSender(task: step.task, answer: answer)
        )
        ask(challenge, step, answer)
    }

    private func ask(
        _ challenge: URLAuthenticationChallenge,
        _ step: TaskStep,
        _ answer: @escaping Answer
    ) {
        let concernsConnections = challenge.protectionSpace.concernsConnections
        if concernsConnections, let delegate = step.delegates.connection {
            delegate.urlSession(step.session, didReceive: challenge, completionHandler: answer)
        } else if let delegate = step.delegates.task {
            delegate.urlSession(
                step.session,
                task: step.task,
                didReceive: challenge,
                completionHandler: answer
            )
        } else {
            answer(.performDefaultHandling, nil)
        }
    }

    // MARK: Challenges of other loaders

    func ask(_ challenge: URLAuthenticationChallenge, _ step: TaskStep) {
        ask(challenge, step) { [self, number = step.number] disposition, credential in
            answer(to: number, challenge, disposition, credential)
        }
    }

    func answer(
        to number: Int,
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {
        let loader = state.withLock { $0.takeLoadersAnswer(to: number) }
        loader?.answer(challenge, disposition, credential)
        advance()
    }

    /// The credential used unless the delegate decides otherwise.
    ///
    /// It is the URL's or the configured proxy's, or else a stored one. The URL's and the proxy's are
    /// not proposed again to a server that has refused them in another realm. A credential that the
    /// same protection space has refused is proposed too, for display to the user.
    func proposal(for round: ChallengeRound, _ session: URLSession?) -> URLCredential? {
        guard let offer = round.first, let session else { return nil }
        let (history, url) = state.withLock {
            ($0.exchange.authentication, $0.exchange.load?.loadRequest.request.url)
        }
        guard history.failureCount(for: offer.space) == 0 else {
            return history.refused(by: offer.space)
        }
        let settings = session.core.settings
        let known =
            offer.space.isProxy()
            ? url.flatMap { settings.proxy(for: $0)?.credentials }.map { URLCredential($0) }
            : url?.credential
        if let known, !history.hasRefused(known, byServerOf: offer.space) { return known }
        return settings.urlCredentialStorage?.proposal(for: offer.space)
    }

    /// Performs default handling: tries the known credential, once.
    func answerAsUsual(to number: Int, _ round: ChallengeRound) {
        let (session, history) = state.withLock { ($0.session, $0.exchange.authentication) }
        let isNew = round.first.map { history.failureCount(for: $0.space) == 0 } ?? false
        let proposal = isNew ? proposal(for: round, session) : nil
        answer(to: number, round, .performDefaultHandling, nil, proposal: proposal)
    }

    func answer(
        to number: Int,
        _ round: ChallengeRound,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?,
        proposal: URLCredential?
    ) {
        let loader = state.withLock { state in
            state.answer(
                to: number,
                challenge: round,
                disposition,
                credential,
                proposal: proposal
            )
        }
        loader?.cancel()
        advance()
    }

    // MARK: TLS

    func ask(_ trust: ServerTrust, _ step: TaskStep) {
        let presented = SecTrust(
            trust,
            url: step.task.currentRequest?.url,
            under: step.session.core.configuration.tlsConfiguration
        )
        let answer: Answer = { [self, number = step.number] disposition, credential in
            switch disposition {
            case .useCredential:
                let isTrusted = credential?.serverTrust != nil
                self.answer(to: number, trust: isTrusted ? .accept : .performDefaultHandling)
            case .performDefaultHandling:
                self.answer(to: number, trust: .performDefaultHandling)
            case .rejectProtectionSpace:
                self.answer(to: number, trust: .reject)
            case .cancelAuthenticationChallenge:
                if state.withLock({ $0.takeLoadersAnswer(to: number) }) != nil { cancel() }
            }
        }
        let space = URLProtectionSpace(trust: presented)
        step.delegates.connection?.urlSession(
            step.session,
            didReceive: URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: nil,
                previousFailureCount: 0,
                failureResponse: nil,
                error: presented.failure,
                sender: ChallengeSender(task: step.task, answer: answer)
            ),
            completionHandler: answer
        )
    }

    func answer(to number: Int, trust decision: TrustDecision) {
        state.withLock { $0.takeLoadersAnswer(to: number) }?.answer(trust: decision)
        advance()
    }

    func askForCertificate(_ error: TransportError, _ step: TaskStep) {
        let url = step.task.currentRequest?.url
        let answer: Answer = { [self, number = step.number] disposition, credential in
            switch disposition {
            case .useCredential:
                self.answer(to: number, identity: credential?.identity?.content, error)
            case .performDefaultHandling, .rejectProtectionSpace:
                self.answer(to: number, identity: nil, error)
            case .cancelAuthenticationChallenge:
                self.answer(to: number, identity: nil, .cancelled)
            }
        }
        let refusal = error.isCertificateRequest ? nil : error
        let space = URLProtectionSpace(
            host: url?.host() ?? "",
            port: url?.port ?? 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: NSURLAuthenticationMethodClientCertificate
        )
        step.delegates.connection?.urlSession(
            step.session,
            didReceive: URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: nil,
                previousFailureCount: 0,
                failureResponse: nil,
                error: refusal.map { URLError($0, url: url) },
                sender: ChallengeSender(task: step.task, answer: answer)
            ),
            completionHandler: answer
        )
    }

    func answer(to number: Int, identity: ClientIdentity?, _ error: TransportError) {
        state.withLock { $0.answer(to: number, identity: identity, error) }
        advance()
    }
}
