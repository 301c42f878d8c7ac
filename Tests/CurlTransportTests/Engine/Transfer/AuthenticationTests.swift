internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticationTests {
    /// A server that challenges requests without Digest credentials.
    ///
    /// It answers others with 200 or, if `isStrict`, with 401 again.
    private func digestServer(isStrict: Bool = false) throws -> LoopbackServer {
        try LoopbackServer { request in
            let given = request.header("Authorization") ?? ""
            guard given.hasPrefix("Digest "), !isStrict else {
                return Reply(
                    401,
                    headers: [
                        ("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
                    ],
                    body: .bytes(Array("who?".utf8))
                )
            }
            return .text("got \(request.bodyByteCount)")
        }
    }

    @Test func answeredChallengeIsNotDelivered() async throws {
        let server = try digestServer()
        let rig = try Rig()
        for _ in 0..<3 {
            let delegate = try await rig.fetch(server.url + "/a?b") {
                $0.authentication = .digest(user: "u", password: "p")
            }
            #expect(delegate.milestones == [.requestSent, .head(200), .metrics, .completed(nil)])
            #expect(delegate.bodyText == "got 0")
        }
        let answers = server.requests.compactMap { $0.header("Authorization") }
        #expect(answers.count == 3)
        #expect(answers.allSatisfy { $0.contains("uri=\"/a?b\"") && $0.contains("username=\"u\"") })
    }

    @Test func credentialsAreNotSentToOtherServer() async throws {
        let servers = [try digestServer(), try digestServer()]
        var options = TransferOptions()
        options.authentication = .digest(user: "u", password: "p")
        let client = try HTTPClient(options: options)
        for server in servers {
            let response = try await client.send(HTTPRequest(url: server.url))
            #expect(response.statusCode == 200)
            _ = try await response.body.collect(upTo: 100)
            #expect(server.requests.first?.header("Authorization") == nil)
        }
        await client.shutdown()
    }

    @Test(arguments: RewindTests.Source.allCases)
    func bodyIsResentAfterChallenge(_ source: RewindTests.Source) async throws {
        let directory = try TemporaryDirectory()
        let server = try digestServer()
        let delegate = try await Rig().fetch(
            server.url,
            method: .post,
            body: try source.body(source.bytes, directory)
        ) {
            $0.authentication = .digest(user: "u", password: "p")
        }
        // libcurl first sends no content, so even a stream that can't be repeated works.
        #expect(delegate.bodyText == "got \(source.bytes.count)")
        #expect(server.requests.last?.body == source.bytes)
        #expect(delegate.heads.map(\.statusCode) == [200])
        #expect(server.requestCount == 2)
    }

    @Test func rejectedCredentialsDeliverResponse() async throws {
        let server = try digestServer(isStrict: true)
        let delegate = try await Rig().fetch(server.url) {
            $0.authentication = .digest(user: "u", password: "wrong")
        }
        #expect(delegate.milestones == [.requestSent, .head(401), .metrics, .completed(nil)])
        #expect(delegate.bodyText == "who?")
        #expect(server.requestCount == 2)
    }

    @Test func rejectedCredentialsDeliverResponseWithoutBody() async throws {
        let server = try LoopbackServer { _ in .status(401).header("WWW-Authenticate", "Digest x") }
        let delegate = try await Rig().fetch(server.url) {
            $0.authentication = .digest(user: "u", password: "wrong")
        }
        #expect(delegate.heads.map(\.statusCode) == [401])
    }

    @Test func status401IsDeliveredWithoutCredentials() async throws {
        let server = try digestServer()
        let delegate = try await Rig().fetch(server.url)
        #expect(delegate.heads.map(\.statusCode) == [401])
        #expect(delegate.bodyText == "who?")
        #expect(server.requestCount == 1)
    }

    @Test func callersAuthorizationIsNotReplaced() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await Rig().fetch(server.url, fields: [.authorization: "Custom x"])
        #expect(server.requests[0].headers("Authorization") == ["Custom x"])
    }

    @Test func pausedDelegateGetsBodyOf401AfterResuming() async throws {
        let server = try digestServer(isStrict: true)
        let rig = try Rig()
        let delegate = RecordingDelegate { $0.head = { _, _ in .pause } }
        let handle = try rig.start(server.url, delegate: delegate) {
            $0.authentication = .digest(user: "u", password: "wrong")
        }
        try await delegate.turnOfHead()
        #expect(delegate.bodyByteCount == 0)
        handle.resumeReceiving()
        #expect(try await delegate.completion() == nil)
        #expect(delegate.bodyText == "who?")
    }

    @Test("A transfer fails after 20 answers to a server that calls each Digest nonce stale")
    func answersToStaleNoncesAreLimited() async throws {
        let count = Watched(0)
        let server = try LoopbackServer { _ in
            let nonce = count.update { count in
                count += 1
                return count
            }
            // Without a limit, the test would fail rather than run without end.
            guard nonce <= 60 else { return .text("in") }
            let challenge = "Digest realm=\"r\", nonce=\"\(nonce)\", stale=true"
            return Reply(401, headers: [("WWW-Authenticate", challenge)])
        }
        let error = await #expect(throws: TransportError.self) {
            try await Rig().fetch(server.url) {
                $0.authentication = .digest(user: "u", password: "p")
            }
        }
        #expect(error?.code == .authenticationFailed)
        // The first request has no credentials. The response to the last one exceeds the limit.
        #expect(server.requestCount == ResponseHeadParser.maximumRestartCount + 2)
    }

    @Test("A tunnel fails after 20 answers to a proxy that calls each Digest nonce stale")
    func answersToStaleNoncesOfAProxyAreLimited() async throws {
        let count = Watched(0)
        let proxy = try LoopbackServer { _ in
            let nonce = count.update { count in
                count += 1
                return count
            }
            // Without a limit, the test would fail rather than run without end.
            guard nonce <= 60 else { return .status(403) }
            let challenge = "Digest realm=\"r\", nonce=\"\(nonce)\", stale=true"
            return Reply(407, headers: [("Proxy-Authenticate", challenge)])
        }
        var server = ProxyServer(
            .http,
            host: "127.0.0.1",
            port: proxy.port,
            credentials: Credentials(user: "u", password: "p")
        )
        server.authentication = .digest
        let choice = ProxyPolicy.server(server)
        let error = await #expect(throws: TransportError.self) {
            try await Rig().fetch("https://127.0.0.1:9/") { $0.proxy = choice }
        }
        #expect(error?.code == .authenticationFailed)
        #expect(proxy.requestCount == ResponseHeadParser.maximumRestartCount + 2)
    }
}
