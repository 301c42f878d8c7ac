internal import CurlTransport
internal import Foundation

// Follows redirects.

extension TaskExchange {
    /// Follows a redirect if that is allowed. Otherwise the redirect is delivered: to another
    /// scheme, from `https` to `http`, or to an invalid URL.
    ///
    /// - Parameters:
    ///   - isUpload: Whether the body isn't part of the request.
    ///   - asksDelegate: Whether a delegate decides.
    mutating func intent(
        ofRedirect response: LoadedResponse,
        _ statusCode: Int,
        isUpload: Bool,
        asksDelegate: Bool
    ) -> ResponseIntent {
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
            let way = RedirectEffects(
                leavesOrigin: redirect.dropsCredentials,
                keepsBody: redirect.keepsBody
            )
            if way.leavesOrigin {
                RedirectedRequest.removeAdaptedFields(from: &request, after: load.plan)
            }
            guard !asksDelegate else { return .ask(.redirect(request, way)) }
            redirectCount += 1
            return .follow(plan(for: request, way, isUpload: isUpload))
        }
    }

    /// Returns the plan for following a redirect.
    ///
    /// - Parameter isUpload: Whether the body isn't part of the request.
    func plan(for request: URLRequest, _ way: RedirectEffects, isUpload: Bool) -> LoadRequest {
        var plan = LoadRequest(SharedRequest(request), body: TaskBody(request.state.body))
        if way.keepsBody, isUpload {
            plan.body = body
            if load?.plan.upload == .whole { plan.upload = .whole }
        } else if case .stream = plan.body, request.state.body == load?.plan.request.state.body {
            // That stream, or one in its place, was already read.
            plan.body = .asked
        }
        plan.adaptedFields = load?.plan.adaptedFields
        plan.hasLeftOrigin = way.leavesOrigin || load?.plan.hasLeftOrigin ?? false
        plan.authorization =
            way.leavesOrigin
            ? load?.plan.authorization?.forOtherOrigins : load?.plan.authorization
        return plan
    }

    /// Returns the effects of a redirect that a loader has reported. Removes from the request what
    /// the next origin must not get.
    func effects(ofRedirectTo request: inout URLRequest) -> RedirectEffects {
        let former = load?.plan.request
        let way = RedirectEffects(
            leavesOrigin: !RedirectedRequest.isSameOrigin(former?.url, request.url),
            keepsBody: request.httpMethod == former?.httpMethod
        )
        if way.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load?.plan)
        }
        return way
    }

    /// Returns the effects of a redirect to the request that the delegate has chosen. It may be of
    /// another origin than the server's. Removes from it what that origin must not get.
    func effects(
        of way: RedirectEffects,
        withChosen request: inout URLRequest
    ) -> RedirectEffects {
        let stays = RedirectedRequest.isSameOrigin(load?.plan.request.url, request.url)
        if !stays, !way.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load?.plan)
        }
        return RedirectEffects(
            leavesOrigin: way.leavesOrigin || !stays,
            keepsBody: way.keepsBody
        )
    }
}
