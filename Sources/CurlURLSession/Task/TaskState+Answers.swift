internal import CurlTransport
internal import Foundation

// What a task's questions are, and what their answers do.

extension TaskState {
    // MARK: Redirects

    /// A loader that follows no rules of HTTP was led elsewhere.
    mutating func noteRedirect(
        to request: URLRequest,
        by response: URLResponse,
        from loader: any Loader
    ) {
        guard isCurrent(loader), let load else { return }
        self.load?.note(.response(response))
        guard redirectCount < RedirectedRequest.policy.limit else {
            let limit = RedirectedRequest.policy.limit
            reason = urlError(.tooManyRedirects(limit: limit, url: nil))
            return
        }
        let way = RedirectedWay(
            leavesOrigin: !RedirectedRequest.isSameOrigin(load.plan.request.url, request.url),
            keepsBody: request.httpMethod == load.plan.request.httpMethod
        )
        var request = request
        if way.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load.plan)
        }
        if recipients.task == nil {
            follow(request, way)
        } else {
            self.load?.phase = .held
            ask(.redirect(request, way))
        }
    }

    /// - Parameter request: What is loaded next; `nil` to take the redirect as the response.
    mutating func answer(to number: Int, redirect request: URLRequest?, _ way: RedirectedWay) {
        guard takeAnswer(to: number) else { return }
        guard var request else { return deliverHeld() }
        // The delegate may lead elsewhere than the server did.
        let stays = RedirectedRequest.isSameOrigin(load?.plan.request.url, request.url)
        if !stays, !way.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load?.plan)
        }
        let way = RedirectedWay(leavesOrigin: way.leavesOrigin || !stays, keepsBody: way.keepsBody)
        follow(request, way)
    }

    private mutating func follow(_ request: URLRequest, _ way: RedirectedWay) {
        redirectCount += 1
        goOn(with: plan(for: request, way))
    }

    // MARK: Trust

    mutating func receive(_ trust: ServerTrust, from loader: any Loader) -> TrustDecision {
        guard isCurrent(loader), recipients.connection != nil else { return .useVerdict }
        ask(.trust(trust))
        return .later
    }

    mutating func receive(_ challenge: URLAuthenticationChallenge, from loader: any Loader) {
        guard isCurrent(loader) else { return }
        ask(.loadersChallenge(challenge))
    }

    /// The answer is the loader to be told.
    mutating func takeLoadersAnswer(to number: Int) -> (any Loader)? {
        takeAnswer(to: number) ? load?.loader : nil
    }

    // MARK: Credentials

    /// - Parameters:
    ///   - credential: What goes with the disposition.
    ///   - proposal: What is used where nobody decides otherwise.
    /// - Returns: The loader to be cancelled.
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
            return stop(because: urlError(.cancelled))
        case .rejectProtectionSpace:
            var rest = round
            if rest.rejectFirst() { ask(.challenge(rest)) } else { leaveUnanswered() }
        }
        return nil
    }

    /// Without a credential, the response that asks is the response.
    private mutating func authenticate(with credential: URLCredential?, in round: ChallengeRound) {
        guard let offer = round.first, let credential, var plan = load?.plan,
            offer.scheme == .negotiate || credential.user != nil
        else { return leaveUnanswered() }
        var authorization = plan.authorization ?? Authorization()
        let proof = Authorization.Proof(
            scheme: offer.scheme,
            space: offer.space,
            credential: credential
        )
        if offer.space.isProxy() {
            authorization.proxy = proof
        } else {
            authorization.server = proof
        }
        plan.authorization = authorization
        plan.body = plan.body.forAnotherTime
        goOn(with: plan)
    }

    /// - Parameter identity: What the server is shown; `nil` to fail as the handshake did.
    mutating func answer(to number: Int, identity: ClientIdentity?, _ error: TransportError) {
        guard takeAnswer(to: number) else { return }
        guard let identity, var plan = load?.plan else { return finish(with: urlError(error)) }
        var authorization = plan.authorization ?? Authorization()
        authorization.identity = identity
        plan.authorization = authorization
        plan.body = plan.body.forAnotherTime
        goOn(with: plan)
    }

    // MARK: Bodies

    mutating func answer(to number: Int, bodyStream stream: BodyStream?, for plan: LoadPlan) {
        guard takeAnswer(to: number) else { return }
        guard let stream = stream ?? plan.request.state.body.restartedStream else {
            return finish(with: urlError(.bodyNotReplayable))
        }
        next = plan.with(.stream(stream))
    }

    /// What a body's own error is told as.
    func bodyError(_ error: any Error) -> URLError {
        URLError(
            .requestBodyStreamExhausted,
            url: currentRequest?.url,
            reason: "the stream that is the request's body couldn't be read: \(error).",
            underlying: error
        )
    }

    // MARK: Delayed requests

    /// - Parameter request: What is loaded; `nil` to cancel the task.
    mutating func answer(to number: Int, delayedRequest request: URLRequest?) {
        guard takeAnswer(to: number) else { return }
        guard let request else {
            _ = life.cancel()
            return finish(with: urlError(.cancelled))
        }
        if request == originalRequest {
            attempt(firstPlan())
        } else {
            let shared = SharedRequest(request)
            delayed = shared
            attempt(plan(ofDelayed: shared))
        }
    }

    func plan(ofDelayed request: SharedRequest) -> LoadPlan {
        wholePlan(of: request, kind == .upload ? body : TaskBody(request.value.state.body))
    }

    // MARK: Responses

    /// The content is let in. False if nobody waited for that.
    mutating func allowContent(answering number: Int) -> Bool {
        delivery.answer(to: number)
    }

    /// What the delegate wants of the content can't be done: the task fails, even if all of it has come. The
    /// answer is the loader to be told, if there is one.
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

    /// The content goes to a file, all of it that has come included.
    mutating func becomeDownload(_ download: URLSessionDownloadTask, answering number: Int) {
        guard delivery.answer(to: number), let response = load?.response, error == nil else {
            return
        }
        former = task as? URLSessionDataTask
        task = download
        kind = .download
        proposal = nil
        hasEnded = false
        delivery.noteConversion()
        let kept = takeReceived()
        beginFile(for: response)
        isWindowFull = kept.isEmpty ? false : file?.append(kept.span) ?? false
        if load?.outcome != nil { complete() }
        updateFlow()
    }
}
