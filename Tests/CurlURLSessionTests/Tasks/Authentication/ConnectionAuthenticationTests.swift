internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Authentication schemes that apply to a whole connection; ``NTLMTests`` has more of NTLM.
@Suite(.timeLimit(.minutes(10))) struct ConnectionAuthenticationTests {
    @Test(arguments: Asker.allCases)
    func protectionSpaceDescribesServerOrProxy(_ asker: Asker) async throws {
        for (scheme, method) in [
            ("NTLM", NSURLAuthenticationMethodNTLM),
            ("Negotiate", NSURLAuthenticationMethodNegotiate),
        ] {
            guard
                scheme != "NTLM" || ProxyServer.AuthenticationKinds.available.contains(.ntlm)
            else { continue }
            let server = try LoopbackServer { _ in asker.refusal(scheme) }
            let delegate = SessionDelegate()
            let session = asker.session(server.port)
            let url = try asker.url(server.port)
            _ = try? await session.data(from: url, delegate: delegate)
            let space = try #require(delegate.challenges.first).protectionSpace
            #expect(space.authenticationMethod == method)
            #expect(space.isProxy() == asker.isProxy)
            #expect(space.host == "127.0.0.1")
            #expect(space.port == server.port)
            #expect(space.realm == nil)
            #expect(delegate.challenges.count == 1)
            #expect(server.requestCount == 1)
        }
    }

    // MARK: Negotiate

    @Test("C20: Negotiate without a Kerberos ticket doesn't loop", arguments: Asker.allCases)
    func negotiateWithoutATicketDoesNotLoop(_ asker: Asker) async throws {
        let server = try LoopbackServer { _ in asker.refusal("Negotiate") }
        let delegate = SessionDelegate(passwords: ["of no use"])
        let session = asker.session(server.port, delegate: delegate)
        session.dataTask(with: try asker.url(server.port)).resume()
        try await delegate.completion()
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        #expect(server.requests.compactMap { asker.proof($0) }.isEmpty)
        #expect(server.requestCount == 2)
        if asker == .tunnel {
            let error = try #require(delegate.errors.first as? URLError)
            #expect(error.code == .badServerResponse)
            #expect(error.reason.contains("407"))
        } else {
            #expect(delegate.errors.isEmpty)
            #expect(delegate.text == "who?")
        }
        session.invalidateAndCancel()
    }

    @Test(arguments: Asker.allCases)
    func schemeAfterNegotiateIsTried(_ asker: Asker) async throws {
        let server = try LoopbackServer { request in
            asker.proof(request)?.hasPrefix("Basic ") == true
                ? .text("in").closing() : asker.refusal("Negotiate, Basic realm=\"Gate\"")
        }
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                let space = challenge.protectionSpace
                space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                    ? completion(.useCredential, .test("pass"))
                    : completion(.rejectProtectionSpace, nil)
            }
        }
        let session = asker.session(server.port)
        _ = try? await session.data(from: asker.url(server.port), delegate: delegate)
        #expect(
            delegate.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTTPBasic,
            ]
        )
        #expect(server.requests.map { asker.proof($0) != nil } == [false, true])
    }
}
