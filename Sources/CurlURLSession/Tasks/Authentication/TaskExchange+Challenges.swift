internal import CurlTransport
internal import Foundation

// Authentication challenges of servers and proxies, and the credentials that they accept.

extension TaskExchange {
    mutating func intent(
        ofChallenge response: LoadedResponse,
        session: SessionCore?,
        isWebSocket: Bool
    ) -> ResponseIntent {
        guard let load else { return .deliver }
        authentication.noteChallenge()
        forgetOutdated(load, session)
        var offered = OfferedAuthentication.list(response.values(of: "WWW-Authenticate"))
        if isWebSocket { offered.removeAll { !$0.isAnsweredByField } }
        guard authentication.mayAnswer, let url = load.loadRequest.request.url,
            let round = ChallengeRound(offered, url: url)
        else { return .deliver }
        return .ask(.challenge(round))
    }

    /// For plain HTTP requests, the proxy's response replaces the server's.
    mutating func intent(
        ofProxyChallenge response: LoadedResponse,
        session: SessionCore?
    ) -> ResponseIntent {
        guard let load, let round = proxyRound(response, load, session) else { return .deliver }
        return .ask(.challenge(round))
    }

    /// Returns the challenge if the proxy refused the tunnel without authentication.
    mutating func tunnelQuestion(
        _ failure: LoadOutcome.Failure,
        _ load: TaskLoad,
        session: SessionCore?
    ) -> TaskQuestion? {
        guard case .transport(let error) = failure, error.code == .proxyRefused,
            let head = load.tunnelHead, head.statusCode == 407
        else { return nil }
        return proxyRound(.head(head), load, session).map { .challenge($0) }
    }

    private mutating func proxyRound(
        _ response: LoadedResponse,
        _ load: TaskLoad,
        _ session: SessionCore?
    ) -> ChallengeRound? {
        guard let url = load.loadRequest.request.url, let proxy = session?.settings.proxy(for: url)
        else {
            return nil
        }
        let offered = OfferedAuthentication.list(response.values(of: "Proxy-Authenticate"))
        let round = ChallengeRound(offered, proxy: proxy, url: url)
        authentication.noteProxyChallenge(round, sent: proxy.credentials)
        forgetOutdated(load, session)
        return authentication.mayAnswer ? round : nil
    }

    private mutating func forgetOutdated(_ load: TaskLoad, _ session: SessionCore?) {
        guard let url = load.loadRequest.request.url else { return }
        for space in authentication.takeOutdated() {
            session?.protection.forget(space, at: url)
        }
    }

    /// Returns the request to retry with a credential. `nil` if it can't answer the challenge.
    func loadRequest(with credential: URLCredential?, in round: ChallengeRound) -> LoadRequest? {
        guard let offer = round.first, let credential, var loadRequest = load?.loadRequest,
            offer.scheme == .negotiate || credential.user != nil
        else { return nil }
        var authorization = loadRequest.authorization ?? Authorization()
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
        loadRequest.authorization = authorization
        loadRequest.body = loadRequest.body.forAnotherTime
        return loadRequest
    }

    /// Returns the request to retry with a client certificate.
    func loadRequest(with identity: ClientIdentity?) -> LoadRequest? {
        guard let identity, var loadRequest = load?.loadRequest else { return nil }
        var authorization = loadRequest.authorization ?? Authorization()
        authorization.identity = identity
        loadRequest.authorization = authorization
        loadRequest.body = loadRequest.body.forAnotherTime
        return loadRequest
    }

    /// Returns the request to send without a client certificate.
    func loadRequestWithoutIdentity() -> LoadRequest? {
        guard var loadRequest = load?.loadRequest else { return nil }
        var authorization = loadRequest.authorization ?? Authorization()
        authorization.declinesIdentity = true
        loadRequest.authorization = authorization
        loadRequest.body = loadRequest.body.forAnotherTime
        return loadRequest
    }

    // MARK: Accepted credentials

    /// Records that a server or proxy has accepted the credentials of a load.
    mutating func noteAccepted() {
        accepted.proofs += authentication.takeAccepted()
    }

    /// Stores accepted credentials of servers and proxies, if their persistence allows it. Basic
    /// credentials are then sent preemptively.
    mutating func storeAccepted(in session: SessionCore?) -> TaskAction? {
        guard !accepted.isStoring else { return nil }
        while let proof = accepted.proofs.popLast() {
            guard proof.credential.persistence != .none, let session,
                let storage = session.settings.urlCredentialStorage
            else { continue }
            if proof.scheme == .basic, let url = load?.loadRequest.request.url {
                session.protection.note(proof.space, at: url)
            }
            accepted.isStoring = true
            return .storeCredential(proof, storage)
        }
        return nil
    }
}

/// Credentials that a server or proxy has accepted, to be stored.
struct AcceptedCredentials: Sendable {
    var proofs: [Authorization.Proof] = []
    /// Whether one is being stored.
    var isStoring = false
}
