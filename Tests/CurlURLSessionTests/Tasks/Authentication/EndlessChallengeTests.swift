internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests servers and proxies that demand credentials for another realm in each response.
@Suite(.timeLimit(.minutes(10))) struct EndlessChallengeTests {
    /// A server that challenges 60 requests, each for a realm of its own, and then gives up: without
    /// a limit, a test would fail rather than run without end.
    private func challenger(
        of asker: Asker,
        _ offer: @escaping @Sendable (_ realm: Int) -> String = { "Basic realm=\"\($0)\"" }
    ) throws -> LoopbackServer {
        let count = Watched(0)
        return try LoopbackServer { _ in
            let realm = count.update { count in
                count += 1
                return count
            }
            return realm > 60 ? .text("in") : asker.refusal(offer(realm))
        }
    }

    @Test("The credentials of a URL are sent once to a server that names a new realm each time")
    func credentialsOfAURLAreSentOnce() async throws {
        let server = try challenger(of: .server)
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:\(server.port)/"))
        let (data, response) = try await URLSession.test().data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(String(decoding: data, as: UTF8.self) == "who?")
        #expect(server.requestCount == 2)
    }

    @Test("A proxy's configured credentials are sent once to a proxy that names new realms")
    func configuredCredentialsAreSentOnce() async throws {
        let proxy = try challenger(of: .proxy) { realm in
            "Digest realm=\"\(realm)\", nonce=\"abc\", qop=\"auth\""
        }
        let session = URLSession.test(
            by: proxy.port,
            more: [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: "pass"]
        )
        let (_, response) = try await session.data(from: Asker.proxy.url(proxy.port))
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        let proofs = proxy.requests.compactMap { Asker.proxy.proof($0) }
        #expect(proofs.filter { $0.hasPrefix("Digest ") }.count == 1)
    }

    @Test(
        "A delegate's credentials answer at most 20 challenges of a server or a proxy",
        arguments: [Asker.server, .proxy]
    )
    func answersOfADelegateAreLimited(_ asker: Asker) async throws {
        let server = try challenger(of: asker)
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                challenge.previousFailureCount < 2
                    ? completion(.useCredential, .test("pass"))
                    : completion(.performDefaultHandling, nil)
            }
        }
        let session = asker.session(server.port, delegate: delegate)
        session.dataTask(with: try asker.url(server.port)).resume()
        try await delegate.completion()
        #expect(delegate.errors.isEmpty)
        let response = delegate.responses.first as? HTTPURLResponse
        #expect(response?.statusCode == (asker.isProxy ? 407 : 401))
        #expect(delegate.text == "who?")
        #expect(delegate.challenges.count == 20)
        #expect(server.requestCount == 21)
        session.invalidateAndCancel()
    }

    @Test("A delegate's credentials answer at most 20 challenges to requests for a tunnel")
    func answersForATunnelAreLimited() async throws {
        let proxy = try challenger(of: .tunnel)
        let delegate = SessionDelegate(password: "pass")
        let session = URLSession.test(by: proxy.port, delegate: delegate)
        session.dataTask(with: try Asker.tunnel.url(proxy.port)).resume()
        let error = try await delegate.failure()
        #expect(error.code == .badServerResponse)
        #expect(delegate.challenges.count == 20)
        #expect(proxy.requestCount == 21)
        session.invalidateAndCancel()
    }

    @Test("The limit counts the challenges of a server and of a proxy together")
    func challengesOfServerAndProxyCountTogether() async throws {
        let count = Watched(0)
        let proxy = try LoopbackServer { _ in
            let realm = count.update { count in
                count += 1
                return count
            }
            guard realm <= 60 else { return .text("in") }
            let asker = realm.isMultiple(of: 2) ? Asker.server : .proxy
            return asker.refusal("Basic realm=\"\(realm)\"")
        }
        let delegate = SessionDelegate(password: "pass")
        let session = URLSession.test(by: proxy.port, delegate: delegate)
        session.dataTask(with: try Asker.proxy.url(proxy.port)).resume()
        try await delegate.completion()
        #expect((delegate.responses.first as? HTTPURLResponse)?.statusCode == 407)
        #expect(delegate.challenges.filter { $0.protectionSpace.isProxy() }.count == 10)
        #expect(delegate.challenges.count == 20)
        session.invalidateAndCancel()
    }
}
