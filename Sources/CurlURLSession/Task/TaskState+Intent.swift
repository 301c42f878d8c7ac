internal import CurlTransport
internal import Foundation

// What becomes of a response: whether it is the task's, or leads on.

extension TaskState {
    enum Intent {
        case deliver
        case ask(TaskQuestion)
        case follow(LoadPlan)
        case fail(any Error)
    }

    mutating func intent(of response: LoadedResponse) -> Intent {
        let intent = usualIntent(of: response)
        guard case .deliver = intent, let step = load?.plan.upload else { return intent }
        return uploadIntent(of: response, step)
    }

    private mutating func usualIntent(of response: LoadedResponse) -> Intent {
        if case .response = response { return .deliver }
        guard let statusCode = response.statusCode else { return .deliver }
        switch statusCode {
        // A WebSocket stays where it was asked for (RFC 6455, 4.1).
        case 300...399 where kind == .webSocket: return .deliver
        // What a server keeps is where it has said that it is.
        case 300...399 where load?.plan.upload == .inquiry: return .deliver
        case 301, 302, 303, 307, 308: return redirection(response, statusCode)
        case 401: return challenge(response)
        case 407: return proxyChallenge(response)
        case 206 where isOfAnotherPart(response), 416: return restart() ?? .deliver
        default: return .deliver
        }
    }

    // MARK: Redirects

    /// A redirect to where nobody must follow is a response like any other: another scheme, from
    /// `https` to `http`, or what is no URL.
    private mutating func redirection(
        _ response: LoadedResponse,
        _ statusCode: Int
    ) -> Intent {
        guard let load, let outgoing = load.outgoing else { return .deliver }
        let outcome = RedirectRule.decide(
            statusCode: statusCode,
            location: response.location,
            request: outgoing,
            count: redirectCount,
            policy: RedirectedRequest.policy
        )
        switch outcome {
        case .deliver:
            return .deliver
        case .fail(let error):
            return error.code == .tooManyRedirects ? .fail(urlError(error)) : .deliver
        case .follow(let redirect):
            if redirect.keepsBody, case .rest = load.plan.upload { return .deliver }
            let made = RedirectedRequest.make(
                of: load.plan.request,
                by: redirect,
                location: response.location
            )
            guard var request = made else { return .deliver }
            if case .rest = load.plan.upload { UploadProtocol.removeWords(from: &request) }
            let way = RedirectedWay(
                leavesOrigin: redirect.dropsCredentials,
                keepsBody: redirect.keepsBody
            )
            if way.leavesOrigin {
                RedirectedRequest.removeAdaptedFields(from: &request, after: load.plan)
            }
            guard recipients.task == nil else { return .ask(.redirect(request, way)) }
            redirectCount += 1
            return .follow(plan(for: request, way))
        }
    }

    /// What is loaded when a redirect is followed.
    func plan(for request: URLRequest, _ way: RedirectedWay) -> LoadPlan {
        var plan = LoadPlan(SharedRequest(request), body: TaskBody(request.state.body))
        if way.keepsBody, kind == .upload {
            plan.body = body
            if load?.plan.upload == .whole { plan.upload = .whole }
        } else if case .stream = plan.body, request.state.body == load?.plan.request.state.body {
            // That one was used, or another one in its place.
            plan.body = .asked
        }
        plan.adaptedFields = load?.plan.adaptedFields
        plan.hasLeftOrigin = way.leavesOrigin || load?.plan.hasLeftOrigin ?? false
        plan.authorization =
            way.leavesOrigin
            ? load?.plan.authorization?.forOtherOrigins : load?.plan.authorization
        return plan
    }

    /// Whether the response has a part of the content that isn't the one that is missing.
    private func isOfAnotherPart(_ response: LoadedResponse) -> Bool {
        guard !hasRestarted else { return false }
        return resumption.map { $0.answer(to: response) == .startsAnew } ?? false
    }

    /// A download whose rest the server doesn't have begins anew, where it was sent and with what proved who
    /// the client is. What there was stays until all of it comes.
    private mutating func restart() -> Intent? {
        guard resumption != nil, !hasRestarted, var plan = load?.plan else { return nil }
        hasRestarted = true
        plan.request = ResumeData.wholeRequest(of: plan.request)
        return .follow(plan)
    }

    // MARK: Authentication

    private mutating func challenge(_ response: LoadedResponse) -> Intent {
        guard let load else { return .deliver }
        authentication.noteChallenge()
        forgetOutdated(load)
        var offered = OfferedAuthentication.list(response.values(of: "WWW-Authenticate"))
        if kind == .webSocket { offered.removeAll { !$0.isAnsweredByField } }
        guard let url = load.plan.request.url, let round = ChallengeRound(offered, url: url) else {
            return .deliver
        }
        return .ask(.challenge(round))
    }

    /// In the clear, the proxy's response comes in the place of the server's.
    private mutating func proxyChallenge(_ response: LoadedResponse) -> Intent {
        guard let load, let round = proxyRound(response, load) else { return .deliver }
        return .ask(.challenge(round))
    }

    /// Whether there is no tunnel because the proxy asks who the client is.
    mutating func tunnelQuestion(
        _ failure: LoadOutcome.Failure,
        _ load: TaskLoad
    ) -> TaskQuestion? {
        guard case .transport(let error) = failure, error.code == .proxyRefused,
            let head = load.tunnelHead, head.statusCode == 407
        else { return nil }
        return proxyRound(.head(head), load).map { .challenge($0) }
    }

    private mutating func proxyRound(
        _ response: LoadedResponse,
        _ load: TaskLoad
    ) -> ChallengeRound? {
        guard let url = load.plan.request.url,
            let proxy = session?.core.settings.proxy(for: url)
        else { return nil }
        let offered = OfferedAuthentication.list(response.values(of: "Proxy-Authenticate"))
        let round = ChallengeRound(offered, proxy: proxy, url: url)
        authentication.noteProxyChallenge(round, sent: proxy.credentials)
        forgetOutdated(load)
        return round
    }

    private mutating func forgetOutdated(_ load: TaskLoad) {
        guard let url = load.plan.request.url else { return }
        for space in authentication.takeOutdated() {
            session?.core.protection.forget(space, at: url)
        }
    }

    /// Whether a handshake failed because the server wants to see a certificate, and somebody may have
    /// one.
    func certificateQuestion(
        _ failure: LoadOutcome.Failure,
        _ load: TaskLoad
    ) -> TaskQuestion? {
        guard case .transport(let error) = failure, error.code == .clientCertificateRequired,
            load.plan.authorization?.identity == nil, recipients.connection != nil
        else { return nil }
        return .clientCertificate(error)
    }
}
