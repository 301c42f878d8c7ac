internal import Synchronization

// The answers of delegates that don't decide.

extension URLSessionTask {
    /// The answer to a redirect if no delegate decides: the next request, or `nil` to take the
    /// redirect as the response.
    ///
    /// A redirect from the network to another scheme than `http` and `https` is the response.
    ///
    /// - Parameter request: The request that the delegate was asked about.
    package func usualAnswer(toRedirect request: URLRequest) -> URLRequest? {
        core.state.withLock { state -> URLRequest? in
            guard case .redirect(let proposed, let effects)? = state.question,
                proposed == request
            else { return request }
            return effects.usualAnswer(request)
        }
    }
}

extension URLSessionDataTask {
    /// The answer to a proposed response if no delegate decides: the response to store, or `nil`.
    ///
    /// A response that could answer no later request isn't stored.
    ///
    /// - Parameter proposed: The response that the delegate was asked about.
    package func usualAnswer(toProposal proposed: CachedURLResponse) -> CachedURLResponse? {
        core.state.withLock { state -> CachedURLResponse? in
            guard let proposal = state.exchange.proposal, proposal.cached === proposed else {
                return proposed
            }
            return proposal.needsConsent ? nil : proposed
        }
    }
}
