internal import CurlTransport
internal import Foundation

// Raises a task's questions, and applies the answers.

extension TaskState {
    // MARK: Redirects

    /// Records the redirect of a loader that doesn't follow HTTP's rules.
    mutating func noteRedirect(
        to request: URLRequest,
        by response: URLResponse,
        from loader: any Loader
    ) {
        guard isCurrent(loader) else { return }
        exchange.load?.note(.response(response))
        let limit = RedirectedRequest.policy.limit
        guard exchange.redirectCount < limit else {
            reason = exchange.urlError(.tooManyRedirects(limit: limit, url: nil))
            return
        }
        var request = request
        let effects = exchange.effects(ofRedirectTo: &request)
        if delegates.task == nil {
            follow(request, effects)
        } else {
            exchange.load?.phase = .held
            ask(.redirect(request, effects))
        }
    }

    /// - Parameter request: The next request; `nil` to use the redirect as the response.
    mutating func answer(to number: Int, redirect request: URLRequest?, _ effects: RedirectEffects)
    {
        guard takeAnswer(to: number) else { return }
        guard var request else { return deliverHeld() }
        let effects = exchange.effects(of: effects, withChosen: &request)
        follow(request, effects)
    }

    private mutating func follow(_ request: URLRequest, _ effects: RedirectEffects) {
        exchange.redirectCount += 1
        replaceLoad(with: exchange.loadRequest(for: request, effects, isUpload: kind.isUpload))
    }

    // MARK: Trust

    mutating func receive(_ trust: ServerTrust, from loader: any Loader) -> TrustDecision {
        guard isCurrent(loader), delegates.connection != nil else {
            return .performDefaultHandling
        }
        ask(.trust(trust))
        return .later
    }

    mutating func receive(_ challenge: URLAuthenticationChallenge, from loader: any Loader) {
        guard isCurrent(loader) else { return }
        ask(.loadersChallenge(challenge))
    }

    /// Accepts an answer; returns the loader that gets it.
    mutating func takeLoadersAnswer(to number: Int) -> (any Loader)? {
        takeAnswer(to: number) ? exchange.load?.loader : nil
    }

    // MARK: Credentials

    /// - Parameters:
    ///   - credential: The credential for `useCredential`.
    ///   - proposal: The credential for default handling.
    /// - Returns: The loader to cancel.
    mutating func answer(
        to number: Int,
        challenge round: ChallengeRound,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?,
        proposal: URLCredential?
    ) -> (any Loader)? {
        guard takeAnswer(to: number) else { return nil }
        switch disposition {
        case .useCredential:
            authenticate(with: credential, in: round)
        case .performDefaultHandling:
            authenticate(with: proposal, in: round)
        case .cancelAuthenticationChallenge:
            _ = life.cancel()
            return stop(because: exchange.urlError(.cancelled))
        case .rejectProtectionSpace:
            var rest = round
            if rest.rejectFirst() { ask(.challenge(rest)) } else { leaveUnanswered() }
        }
        return nil
    }

    /// Retries with a credential. Without one, the challenging response becomes the task's
    /// response.
    private mutating func authenticate(with credential: URLCredential?, in round: ChallengeRound) {
        guard let loadRequest = exchange.loadRequest(with: credential, in: round) else {
            return leaveUnanswered()
        }
        exchange.authentication.noteAnswer()
        replaceLoad(with: loadRequest)
    }

    /// - Parameters:
    ///   - identity: The client certificate for the server; `nil` to continue without one. If the
    ///     server has refused that, the task fails.
    ///   - error: The error of the load that had no client certificate.
    mutating func answer(to number: Int, identity: ClientIdentity?, _ error: TransportError) {
        guard takeAnswer(to: number) else { return }
        var loadRequest = exchange.loadRequest(with: identity)
        if identity == nil, error.isCertificateRequest {
            loadRequest = exchange.loadRequestWithoutIdentity()
        }
        guard let loadRequest else { return finish(with: exchange.urlError(error)) }
        replaceLoad(with: loadRequest)
    }

    // MARK: Bodies

    mutating func answer(
        to number: Int,
        bodyStream stream: BodyStream?,
        for loadRequest: LoadRequest
    ) {
        guard takeAnswer(to: number) else { return }
        guard let stream = stream ?? loadRequest.request.state.body.restartedStream else {
            return finish(with: exchange.urlError(.bodyNotReplayable))
        }
        exchange.next = loadRequest.with(.stream(stream))
    }

    // MARK: Delayed requests

    /// - Parameter request: The request to load; `nil` to cancel the task.
    mutating func answer(to number: Int, delayedRequest request: URLRequest?) {
        guard takeAnswer(to: number) else { return }
        guard let request else {
            _ = life.cancel()
            return finish(with: exchange.urlError(.cancelled))
        }
        if request == exchange.originalRequest {
            attempt(firstLoadRequest())
        } else {
            exchange.delayedRequest = request
            attempt(loadRequest(ofDelayed: request))
        }
    }

    // MARK: Responses

    /// Allows the body. Returns false if no disposition was awaited.
    mutating func allowContent(answering number: Int) -> Bool {
        delivery.answer(to: number)
    }

    /// Fails the task because the requested disposition is impossible.
    ///
    /// It fails even if the body is complete. Returns the loader to cancel, if there is one.
    mutating func refuseContent(
        because error: any Error,
        answering number: Int
    ) -> (any Loader)? {
        guard delivery.answer(to: number) else { return nil }
        delivery.dropAll()
        guard hasEnded else { return stop(because: error) }
        self.error = error
        return nil
    }

    /// Turns the task into a download. The bytes received so far go to the file as well.
    mutating func becomeDownload(_ download: URLSessionDownloadTask, answering number: Int) {
        guard delivery.answer(to: number), let response = exchange.load?.response, error == nil
        else {
            return
        }
        kind = .download(DownloadState(former: task as? URLSessionDataTask))
        task = download
        exchange.proposal = nil
        hasEnded = false
        delivery.noteConversion()
        let kept = exchange.buffer.take()
        beginFile(for: response)
        exchange.buffer.isFull =
            kept.isEmpty ? false : kind.download?.file?.append(kept.span) ?? false
        if exchange.load?.outcome != nil { complete() }
        updateFlow()
    }
}
