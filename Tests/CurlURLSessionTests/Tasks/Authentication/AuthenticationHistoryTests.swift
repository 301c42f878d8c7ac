internal import Testing

@testable internal import CurlURLSession

@Suite struct AuthenticationHistoryTests {
    private static func proof(_ host: String) -> Authorization.Proof {
        Authorization.Proof(
            scheme: .basic,
            space: URLProtectionSpace(
                host: host,
                port: 443,
                protocol: "https",
                realm: nil,
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            ),
            credential: URLCredential(user: host, password: "secret", persistence: .none)
        )
    }

    /// The history returns each protection space's own refused credential. A delegate may answer
    /// with the proposed credential, which must not be another server's.
    @Test func proposedCredentialIsTheSpacesOwn() {
        let proofs = ["one", "two"].map { Self.proof($0) }
        var history = AuthenticationHistory()
        for proof in proofs {
            history.begin(with: Authorization(server: proof))
            history.noteChallenge()
        }
        for proof in proofs {
            #expect(history.refused(by: proof.space) == proof.credential)
            #expect(history.failureCount(for: proof.space) == 1)
        }
    }
}
