internal import CurlTransport
internal import Foundation

// Follows redirects.

extension TaskExchange {
    /// Follows a redirect if that is allowed. Otherwise the redirect is delivered: from `https` to
    /// `http`, or to an invalid URL.
    ///
    /// A delegate decides about a redirect to another scheme. Without one, the redirect is
    /// delivered.
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
        guard let load, let httpRequest = load.httpRequest else { return .deliver }
        let outcome = RedirectRule.decide(
            statusCode: statusCode,
            location: response.location,
            request: httpRequest,
            count: redirectCount,
            policy: RedirectedRequest.policy
        )
        switch outcome {
        case .deliver:
            return .deliver
        case .fail(let error) where error.code == .tooManyRedirects:
            return .fail(urlError(error))
        case .fail:
            return asksDelegate ? intent(ofLeavingHTTP: response, statusCode, load) : .deliver
        case .follow(let redirect):
            if redirect.keepsBody, case .rest = load.loadRequest.upload { return .deliver }
            let made = RedirectedRequest.make(
                of: load.loadRequest.request,
                by: redirect,
                location: response.location
            )
            guard var request = made else { return .deliver }
            if case .rest = load.loadRequest.upload { UploadProtocol.removeWords(from: &request) }
            let effects = RedirectEffects(
                leavesOrigin: redirect.dropsCredentials,
                keepsBody: redirect.keepsBody
            )
            if effects.leavesOrigin {
                RedirectedRequest.removeAdaptedFields(from: &request, after: load.loadRequest)
            }
            guard !asksDelegate else { return .ask(.redirect(request, effects)) }
            redirectCount += 1
            return .follow(loadRequest(for: request, effects, isUpload: isUpload))
        }
    }

    /// Asks the delegate about a redirect to another scheme than `http` and `https`. Delivers any
    /// other redirect.
    private func intent(
        ofLeavingHTTP response: LoadedResponse,
        _ statusCode: Int,
        _ load: TaskLoad
    ) -> ResponseIntent {
        if case .rest = load.loadRequest.upload { return .deliver }
        guard let httpRequest = load.httpRequest,
            let next = RedirectedRequest.leavingHTTP(
                from: load.loadRequest.request,
                httpRequest,
                statusCode: statusCode,
                location: response.location
            )
        else { return .deliver }
        var request = next.request
        RedirectedRequest.removeAdaptedFields(from: &request, after: load.loadRequest)
        return .ask(.redirect(request, next.effects))
    }

    /// Returns the request that follows a redirect.
    ///
    /// - Parameter isUpload: Whether the body isn't part of the request.
    func loadRequest(
        for request: URLRequest,
        _ effects: RedirectEffects,
        isUpload: Bool
    ) -> LoadRequest {
        var loadRequest = LoadRequest(request, body: TaskBody(request.state.body))
        if effects.keepsBody, isUpload {
            loadRequest.body = body
            if load?.loadRequest.upload == .whole { loadRequest.upload = .whole }
        } else if case .stream = loadRequest.body,
            request.state.body == load?.loadRequest.request.state.body
        {
            // That stream, or one in its place, was already read.
            loadRequest.body = .asked
        }
        loadRequest.adaptedFields = load?.loadRequest.adaptedFields
        loadRequest.hasLeftOrigin = effects.leavesOrigin || load?.loadRequest.hasLeftOrigin ?? false
        loadRequest.hasLeftHTTP = effects.leavesHTTP
        loadRequest.authorization =
            effects.leavesOrigin
            ? load?.loadRequest.authorization?.forOtherOrigins : load?.loadRequest.authorization
        return loadRequest
    }

    /// Returns the effects of a redirect that a loader has reported. Removes from the request what
    /// the next origin must not get.
    func effects(ofRedirectTo request: inout URLRequest) -> RedirectEffects {
        let former = load?.loadRequest.request
        let effects = RedirectEffects(
            leavesOrigin: !RedirectedRequest.isSameOrigin(former?.url, request.url),
            keepsBody: request.httpMethod == former?.httpMethod
        )
        if effects.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load?.loadRequest)
        }
        return effects
    }

    /// Returns the effects of a redirect to the request that the delegate has chosen. It may be of
    /// another origin than the server's. Removes from it what that origin must not get.
    func effects(
        of effects: RedirectEffects,
        withChosen request: inout URLRequest
    ) -> RedirectEffects {
        let stays = RedirectedRequest.isSameOrigin(load?.loadRequest.request.url, request.url)
        if !stays, !effects.leavesOrigin {
            RedirectedRequest.removeAdaptedFields(from: &request, after: load?.loadRequest)
        }
        return RedirectEffects(
            leavesOrigin: effects.leavesOrigin || !stays,
            keepsBody: effects.keepsBody,
            leavesHTTP: effects.leavesHTTP
                && !["http", "https"].contains(request.url?.scheme?.lowercased() ?? "")
        )
    }
}
