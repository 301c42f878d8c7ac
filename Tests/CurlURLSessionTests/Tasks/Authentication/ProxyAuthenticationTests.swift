internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests proxies that demand authentication.
@Suite(.timeLimit(.minutes(10))) struct ProxyAuthenticationTests {
    private static let right = "Basic dXNlcjpwYXNz"  // user:pass

    private static func url(_ text: String = "http://origin.test/x") throws -> URL {
        try #require(URL(string: text))
    }

    // MARK: Plain HTTP

    @Test func credentialAnswersAProxyChallenge() async throws {
        let proxy = try Asker.proxy.basic()
        let delegate = SessionDelegate(password: "pass")
        let session = URLSession.test(by: proxy.port, delegate: delegate)
        var request = URLRequest(url: try Self.url())
        request.httpMethod = "POST"
        session.uploadTask(with: request, from: Data("body".utf8)).resume()
        try await delegate.completion()
        #expect(delegate.text == "in body")
        #expect(
            delegate.milestones == [
                .challenge(NSURLAuthenticationMethodHTTPBasic, failures: 0), .response(200),
                .metrics(transactions: 2), .completed(nil),
            ]
        )
        let challenge = try #require(delegate.challenges.first)
        let space = challenge.protectionSpace
        #expect(space.isProxy())
        #expect(space.proxyType == NSURLProtectionSpaceHTTPProxy)
        #expect(space.protocol == nil)
        #expect(space.realm == "Gate")
        #expect(space.host == "127.0.0.1")
        #expect(space.port == proxy.port)
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 407)
        #expect(challenge.proposedCredential == nil)
        #expect(proxy.requests[0].header("Proxy-Authorization") == nil)
        #expect(proxy.requests[1].header("Authorization") == nil)
        session.invalidateAndCancel()
    }

    @Test func status407WithoutAProxyIsTheResponse() async throws {
        let server = try LoopbackServer { _ in Asker.proxy.refusal() }
        let delegate = SessionDelegate()
        let (_, response) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(delegate.challenges.isEmpty)
    }

    @Test func proxyDictionaryCredentialsAreUsedFirst() async throws {
        let proxy = try Asker.proxy.basic()
        let delegate = SessionDelegate(password: "pass")
        for (password, failures) in [("pass", [Int]()), ("wrong", [1])] {
            let more = [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: password]
            let session = URLSession.test(by: proxy.port, more: more)
            let count = delegate.challenges.count
            let (data, _) = try await session.data(from: Self.url(), delegate: delegate)
            #expect(data.count == 3)
            let challenges = delegate.challenges.dropFirst(count)
            #expect(challenges.map(\.previousFailureCount) == failures)
            let refused = failures.map { _ in URLCredential.test("wrong") }
            #expect(challenges.map(\.proposedCredential) == refused)
        }
        // Without a delegate, a refused credential isn't sent again.
        let count = proxy.requestCount
        let session = URLSession.test(
            by: proxy.port,
            more: [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: "wrong"]
        )
        let (_, response) = try await session.data(from: Self.url())
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(proxy.requestCount == count + 1)
    }

    @Test func proxyDictionaryCredentialsAnswerDigest() async throws {
        let proxy = try LoopbackServer { request in
            let field = request.header("Proxy-Authorization") ?? ""
            return field.hasPrefix("Digest ") && field.contains("username=\"user\"")
                && field.contains("nonce=\"abc\"") && field.contains("response=")
                ? .text("in")
                : Asker.proxy.refusal("Digest realm=\"Gate\", nonce=\"abc\", qop=\"auth\"")
        }
        let session = URLSession.test(
            by: proxy.port,
            more: [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: "pass"]
        )
        let (data, _) = try await session.data(from: Self.url())
        #expect(data.count == 2)
    }

    @Test func storedProxyCredentialIsUsedAndAcceptedOneStored() async throws {
        let proxy = try Asker.proxy.basic()
        let storage = URLCredentialStorage()
        let delegate = SessionDelegate(password: "pass", .forSession)
        let session = URLSession.test(by: proxy.port) { $0.urlCredentialStorage = storage }
        _ = try await session.data(from: Self.url(), delegate: delegate)
        let space = URLProtectionSpace(
            proxyHost: "127.0.0.1",
            port: proxy.port,
            type: NSURLProtectionSpaceHTTPProxy,
            realm: "Gate",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        #expect(storage.defaultCredential(for: space)?.password == "pass")
        // Now the stored credential is sent preemptively: no delegate and no 407 are needed.
        let (data, _) = try await session.data(from: Self.url())
        #expect(data.count == 3)
        #expect(proxy.requestCount == 3)
    }

    @Test func redirectToAnotherOriginKeepsProxyCredential() async throws {
        let proxy = try LoopbackServer { request in
            guard request.header("Proxy-Authorization") == Self.right else {
                return Asker.proxy.refusal()
            }
            return request.target.contains("first.test")
                ? .redirect(to: "http://second.test/y") : .text("there")
        }
        let delegate = SessionDelegate(password: "pass")
        let session = URLSession.test(by: proxy.port)
        let (data, _) = try await session.data(
            from: Self.url("http://first.test/x"),
            delegate: delegate
        )
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(delegate.challenges.count == 1)
        #expect(proxy.requestCount == 3)
    }

    // MARK: Tunnels

    @Test func refusedTunnelIsAChallenge() async throws {
        let proxy = try LoopbackServer { _ in Asker.tunnel.refusal() }
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                challenge.previousFailureCount == 0
                    ? completion(.useCredential, .test("pass"))
                    : completion(.rejectProtectionSpace, nil)
            }
        }
        let session = URLSession.test(by: proxy.port, delegate: delegate)
        session.dataTask(with: try Self.url("https://origin.test/x")).resume()
        let error = try await delegate.failure()
        #expect(error.code == .badServerResponse)
        #expect(error.reason.contains("407"))
        #expect(delegate.responses.isEmpty)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        let challenge = try #require(delegate.challenges.first)
        #expect(challenge.protectionSpace.isProxy())
        #expect(challenge.protectionSpace.proxyType == NSURLProtectionSpaceHTTPSProxy)
        #expect(challenge.protectionSpace.realm == "Gate")
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 407)
        #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT"])
        #expect(proxy.requests[0].header("Proxy-Authorization") == nil)
        #expect(proxy.requests[1].header("Proxy-Authorization") == Self.right)
        session.invalidateAndCancel()
    }

    @Test(arguments: [true, false])
    func unansweredTunnelChallengeIsAnError(_ cancels: Bool) async throws {
        let proxy = try LoopbackServer { _ in Asker.tunnel.refusal() }
        let delegate = SessionDelegate {
            $0.challenge = { $1(.cancelAuthenticationChallenge, nil) }
        }
        let session = URLSession.test(by: proxy.port)
        let error = try await urlError {
            _ = try await session.data(
                from: Self.url("https://origin.test/x"),
                delegate: cancels ? delegate : nil
            )
        }
        #expect(error.code == (cancels ? .cancelled : .badServerResponse))
        #expect(proxy.requestCount == 1)
    }

    @Test(.enabled(if: SquidPeer.isAvailable && NginxPeer.isAvailable))
    func squidIsAuthenticatedForHTTPAndTunnels() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.start(user: "user", password: "pass")
        defer { squid.stop() }
        let answer: SessionDelegate.Challenged = { challenge, completion in
            let space = challenge.protectionSpace
            guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
                return completion(.performDefaultHandling, nil)
            }
            let isFirst = challenge.previousFailureCount == 0
            completion(.useCredential, .test(isFirst ? "wrong" : "pass"))
        }
        let delegate = SessionDelegate { $0.challenge = answer }
        let session = URLSession.test(by: squid.port) {
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
        }
        let (data, _) = try await session.data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "origin")
        #expect(server.requestCount == 1)
        #expect(server.requests[0].header("Proxy-Authorization") == nil)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        #expect(delegate.challenges.allSatisfy { $0.protectionSpace.realm == "peer" })
        let tunnelled = SessionDelegate { $0.challenge = answer }
        let (text, response) = try await session.data(
            from: Self.url(nginx.url(.https)),
            delegate: tunnelled
        )
        #expect(String(decoding: text, as: UTF8.self) == "hello, world\n")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let basic = tunnelled.challenges.filter { $0.protectionSpace.isProxy() }
        #expect(basic.map(\.previousFailureCount) == [0, 1])
    }
}
