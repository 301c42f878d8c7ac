internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

/// The credentials that a task has tried, and those that were refused.
struct AuthenticationHistory: Sendable {
    private var failures: [URLProtectionSpace: Int] = [:]
    /// The credentials of the request in flight that no server or proxy has refused.
    private var server: Authorization.Proof?
    private var proxy: Authorization.Proof?
    private var outdated: [URLProtectionSpace] = []
    private var refused: [URLProtectionSpace: URLCredential] = [:]
    /// How many challenges the task has answered with a credential.
    private var answerCount = 0

    /// The maximum number of challenges that a task answers with a credential, servers' and
    /// proxies' together.
    ///
    /// Each realm is a protection space of its own, so a server that names a new realm in each
    /// response could otherwise demand credentials without end.
    static let maximumAnswers = 20

    /// Whether another challenge may be answered. If not, the challenging response is the task's.
    var mayAnswer: Bool { answerCount < Self.maximumAnswers }

    /// Records that a request is repeated with a credential.
    mutating func noteAnswer() { answerCount += 1 }

    /// The credential that a protection space refused last. The next challenge proposes it.
    func refused(by space: URLProtectionSpace) -> URLCredential? { refused[space] }

    /// How many credentials a protection space has refused.
    func failureCount(for space: URLProtectionSpace) -> Int { failures[space] ?? 0 }

    /// Whether the server or proxy of a protection space has refused a credential with the same
    /// authentication method, in any realm.
    func hasRefused(_ credential: URLCredential, byServerOf space: URLProtectionSpace) -> Bool {
        refused.contains { $1 == credential && $0.isOfSameServer(as: space) }
    }

    /// Records the credentials of a request that is being sent.
    mutating func begin(with authorization: Authorization?) {
        (server, proxy) = (authorization?.server, authorization?.proxy)
    }

    /// Records a server's challenge. A credential that the request carried counts as refused.
    mutating func noteChallenge() {
        if let proof = server.take() { noteRefusal(of: proof) }
    }

    /// Records a proxy's challenge. A credential that the request carried counts as refused.
    ///
    /// - Parameter sent: The configuration's credentials for the proxy. They are sent with Basic as
    ///   long as there are no others.
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

    /// Records a refusal. One of a remembered credential isn't a failure: no challenge asked for
    /// it.
    private mutating func noteRefusal(of proof: Authorization.Proof) {
        guard !proof.isRemembered else {
            outdated.append(proof.space)
            return
        }
        failures[proof.space, default: 0] += 1
        refused[proof.space] = proof.credential
    }

    /// Removes and returns the credentials of an answered request, except remembered ones.
    mutating func takeAccepted() -> [Authorization.Proof] {
        guard server != nil || proxy != nil else { return [] }
        return [server.take(), proxy.take()].compactMap(\.self).filter { !$0.isRemembered }
    }

    /// Removes and returns the protection spaces that refused a remembered credential.
    mutating func takeOutdated() -> [URLProtectionSpace] {
        defer { outdated = [] }
        return outdated
    }
}

extension URLProtectionSpace {
    /// Whether only the realm may differ.
    fileprivate func isOfSameServer(as other: URLProtectionSpace) -> Bool {
        host.equalsIgnoringASCIICase(other.host) && port == other.port
            && `protocol` == other.protocol && proxyType == other.proxyType
            && authenticationMethod == other.authenticationMethod
    }
}

extension URLCredential {
    /// Creates a credential from a configuration's proxy credentials.
    convenience init(_ credentials: Credentials) {
        self.init(user: credentials.user, password: credentials.password, persistence: .none)
    }
}
