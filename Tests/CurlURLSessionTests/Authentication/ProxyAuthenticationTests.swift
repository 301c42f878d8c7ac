internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Proxies that ask who the client is.
@Suite(.timeLimit(.minutes(10))) struct ProxyAuthenticationTests {
    private static let right = "Basic dXNlcjpwYXNz"  // user:pass

    private static func refusal(_ offer: String = "Basic realm=\"Gate\"") -> Reply {
        Reply(
            407,
            headers: [("Proxy-Authenticate", offer)],
            body: .bytes(Array("who?".utf8))
        )
    }

    /// Answers in the place of all servers whom it knows.
    private static func proxy() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.header("Proxy-Authorization") == right && request.method != "CONNECT"
                ? .text("in \(request.bodyText)") : refusal()
        }
    }

    private static func session(
        by port: Int,
        delegate: (any URLSessionDelegate)? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in },
        more: [AnyHashable: Any] = [:]
    ) -> URLSession {
        URLSession.test(delegate: delegate) { configuration in
            let proxies: [AnyHashable: Any] = [
                kCFNetworkProxiesHTTPEnable: 1, kCFNetworkProxiesHTTPProxy: "127.0.0.1",
                kCFNetworkProxiesHTTPPort: port, kCFNetworkProxiesHTTPSEnable: 1,
                kCFNetworkProxiesHTTPSProxy: "127.0.0.1", kCFNetworkProxiesHTTPSPort: port,
            ]
            configuration.connectionProxyDictionary = proxies.merging(more) { $1 }
            configure(configuration)
        }
    }

    private static func credential(
        _ password: String,
        _ persistence: URLCredential.Persistence = .none
    ) -> URLCredential {
        URLCredential(user: "user", password: password, persistence: persistence)
    }

    private static func url(_ text: String = "http://origin.test/x") throws -> URL {
        try #require(URL(string: text))
    }

    // MARK: In the clear

    @Test func aCredentialAnswersAProxy() async throws {
        let proxy = try Self.proxy()
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.useCredential, Self.credential("pass")) }
        }
        let session = Self.session(by: proxy.port, delegate: delegate)
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

    @Test func aRefusedCredentialIsAskedForAgain() async throws {
        let proxy = try Self.proxy()
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                let isLast = challenge.previousFailureCount == 2
                completion(.useCredential, Self.credential(isLast ? "pass" : "wrong"))
            }
        }
        let session = Self.session(by: proxy.port)
        let (data, _) = try await session.data(from: Self.url(), delegate: delegate)
        #expect(data.count == 3)
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1, 2])
        #expect(delegate.challenges[1].proposedCredential == Self.credential("wrong"))
    }

    @Test func eachDispositionDoesWhatItSays() async throws {
        let proxy = try Self.proxy()
        let session = Self.session(by: proxy.port)
        let url = try Self.url()
        let cancelling = SessionDelegate {
            $0.challenge = { $1(.cancelAuthenticationChallenge, nil) }
        }
        let error = try await urlError {
            _ = try await session.data(from: url, delegate: cancelling)
        }
        #expect(error.code == .cancelled)
        for disposition in [
            URLSession.AuthChallengeDisposition.useCredential, .performDefaultHandling,
            .rejectProtectionSpace,
        ] {
            let delegate = SessionDelegate { $0.challenge = { $1(disposition, nil) } }
            let (data, response) = try await session.data(from: url, delegate: delegate)
            #expect((response as? HTTPURLResponse)?.statusCode == 407)
            #expect(String(decoding: data, as: UTF8.self) == "who?")
            #expect(delegate.challenges.count == 1)
        }
        #expect(proxy.requestCount == 4)
    }

    @Test func withoutAProxyA407IsTheResponse() async throws {
        let server = try LoopbackServer { _ in Self.refusal() }
        let delegate = SessionDelegate()
        let (_, response) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(delegate.challenges.isEmpty)
    }

    @Test func whatTheDictionaryHasComesFirst() async throws {
        let proxy = try Self.proxy()
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.useCredential, Self.credential("pass")) }
        }
        for (password, failures) in [("pass", [Int]()), ("wrong", [1])] {
            let more = [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: password]
            let session = Self.session(by: proxy.port, more: more)
            let count = delegate.challenges.count
            let (data, _) = try await session.data(from: Self.url(), delegate: delegate)
            #expect(data.count == 3)
            let challenges = delegate.challenges.dropFirst(count)
            #expect(challenges.map(\.previousFailureCount) == failures)
            #expect(
                challenges.map(\.proposedCredential)
                    == failures.map { _ in
                        Self.credential("wrong")
                    }
            )
        }
        // Nobody is asked, and what was refused isn't sent again.
        let count = proxy.requestCount
        let session = Self.session(
            by: proxy.port,
            more: [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: "wrong"]
        )
        let (_, response) = try await session.data(from: Self.url())
        #expect((response as? HTTPURLResponse)?.statusCode == 407)
        #expect(proxy.requestCount == count + 1)
    }

    @Test func theDictionarysCredentialsAnswerDigestToo() async throws {
        let proxy = try LoopbackServer { request in
            let field = request.header("Proxy-Authorization") ?? ""
            return field.hasPrefix("Digest ") && field.contains("username=\"user\"")
                && field.contains("nonce=\"abc\"") && field.contains("response=")
                ? .text("in")
                : Self.refusal("Digest realm=\"Gate\", nonce=\"abc\", qop=\"auth\"")
        }
        let session = Self.session(
            by: proxy.port,
            more: [kCFProxyUsernameKey: "user", kCFProxyPasswordKey: "pass"]
        )
        let (data, _) = try await session.data(from: Self.url())
        #expect(data.count == 2)
    }

    @Test func whatIsStoredAnswersAndWhatIsAcceptedIsStored() async throws {
        let proxy = try Self.proxy()
        let storage = URLCredentialStorage()
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.useCredential, Self.credential("pass", .forSession)) }
        }
        let session = Self.session(by: proxy.port) { $0.urlCredentialStorage = storage }
        _ = try await session.data(from: Self.url(), delegate: delegate)
        let space = URLProtectionSpace(
            proxyHost: "127.0.0.1",
            port: proxy.port,
            type: NSURLProtectionSpaceHTTPProxy,
            realm: "Gate",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        #expect(storage.defaultCredential(for: space)?.password == "pass")
        // Now nobody is asked, not even by the proxy.
        let (data, _) = try await session.data(from: Self.url())
        #expect(data.count == 3)
        #expect(proxy.requestCount == 3)
    }

    @Test func aRedirectElsewhereKeepsTheProxysCredential() async throws {
        let proxy = try LoopbackServer { request in
            guard request.header("Proxy-Authorization") == Self.right else {
                return Self.refusal()
            }
            return request.target.contains("first.test")
                ? .redirect(to: "http://second.test/y") : .text("there")
        }
        let delegate = SessionDelegate { answers in
            answers.challenge = { $1(.useCredential, Self.credential("pass")) }
        }
        let session = Self.session(by: proxy.port)
        let (data, _) = try await session.data(
            from: Self.url("http://first.test/x"),
            delegate: delegate
        )
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(delegate.challenges.count == 1)
        #expect(proxy.requestCount == 3)
    }

    // MARK: Tunnels

    @Test func aTunnelsRefusalIsAChallenge() async throws {
        let proxy = try Self.proxy()
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                challenge.previousFailureCount == 0
                    ? completion(.useCredential, Self.credential("pass"))
                    : completion(.rejectProtectionSpace, nil)
            }
        }
        let session = Self.session(by: proxy.port, delegate: delegate)
        session.dataTask(with: try Self.url("https://origin.test/x")).resume()
        let error = try await delegate.failure()
        #expect(error.code == .badServerResponse)
        #expect(error.localizedDescription.contains("407"))
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
    func aTunnelThatNobodyAnswersForIsAnError(_ cancels: Bool) async throws {
        let proxy = try Self.proxy()
        let delegate = SessionDelegate {
            $0.challenge = { $1(.cancelAuthenticationChallenge, nil) }
        }
        let session = Self.session(by: proxy.port)
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
    func squidIsAnsweredInTheClearAndForTunnels() async throws {
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
            completion(.useCredential, Self.credential(isFirst ? "wrong" : "pass"))
        }
        let delegate = SessionDelegate { $0.challenge = answer }
        let session = Self.session(by: squid.port) {
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
