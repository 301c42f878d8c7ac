internal import CurlTransport
internal import Foundation

/// What a task has tried to authenticate with.
struct AuthenticationHistory: Sendable {
    private var failures: [URLProtectionSpace: Int] = [:]
    /// The credentials that the request under way carries, and nobody has refused.
    private var server: Authorization.Proof?
    private var proxy: Authorization.Proof?
    private var outdated: [URLProtectionSpace] = []
    private var refused: [URLProtectionSpace: URLCredential] = [:]

    /// The last credential that a protection space has refused, proposed again for the user to see.
    func refused(by space: URLProtectionSpace) -> URLCredential? { refused[space] }

    /// How many credentials a protection space has refused.
    func failureCount(for space: URLProtectionSpace) -> Int { failures[space] ?? 0 }

    /// A request goes out.
    mutating func begin(with authorization: Authorization?) {
        (server, proxy) = (authorization?.server, authorization?.proxy)
    }

    /// The server asks, again if the request carried a credential.
    mutating func noteChallenge() {
        if let proof = server.take() { noteRefusal(of: proof) }
    }

    /// The proxy asks, again if the request carried a credential.
    ///
    /// - Parameter sent: What the configuration has for the proxy, and is sent, by Basic, as long as
    ///   there is nothing else.
    mutating func noteProxyChallenge(_ round: ChallengeRound?, sent: Credentials?) {
        if let proof = proxy.take() {
            noteRefusal(of: proof)
        } else if let sent, let basic = round?.offers.first(where: { $0.scheme == .basic }) {
            noteRefusal(
                of: Authorization.Proof(
                    scheme: .basic,
                    space: basic.space,
                    credential: URLCredential(sent)
                )
            )
        }
    }

    /// What wasn't asked for doesn't count: the question is still to come.
    private mutating func noteRefusal(of proof: Authorization.Proof) {
        guard !proof.isRemembered else {
            outdated.append(proof.space)
            return
        }
        failures[proof.space, default: 0] += 1
        refused[proof.space] = proof.credential
    }

    /// The credentials of a request that was answered, but for those that are known.
    mutating func takeAccepted() -> [Authorization.Proof] {
        guard server != nil || proxy != nil else { return [] }
        return [server.take(), proxy.take()].compactMap(\.self).filter { !$0.isRemembered }
    }

    /// The spaces that no longer accept what they did.
    mutating func takeOutdated() -> [URLProtectionSpace] {
        defer { outdated = [] }
        return outdated
    }
}

extension URLCredential {
    /// What a configuration has for a proxy.
    convenience init(_ credentials: Credentials) {
        self.init(user: credentials.user, password: credentials.password, persistence: .none)
    }
}
