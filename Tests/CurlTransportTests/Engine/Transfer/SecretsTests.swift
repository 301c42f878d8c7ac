internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Log lines and error texts contain no secrets.
@Suite(.timeLimit(.minutes(10))) struct SecretsTests {
    static let secrets = ["hunter2", "aHVudGVy", "s3cret", "alice", "YWxpY2U"]

    private func expectNoSecret(
        _ texts: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for text in texts {
            for secret in Self.secrets {
                #expect(!text.contains(secret), sourceLocation: sourceLocation)
            }
        }
    }

    private func logs(_ delegate: RecordingDelegate) -> [String] {
        delegate.events.compactMap { if case .log(let text) = $0 { text } else { nil } }
    }

    private func texts(_ error: TransportError) -> [String] {
        [
            error.description, error.message, error.url ?? "", String(describing: error),
            String(reflecting: error), "\(error)",
        ]
    }

    @Test func logOfLibcurlIsRedacted() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end") : .redirect(to: "/end?token=s3cret").header("Set-Cookie", "s=s3cret")
        }
        let key = try #require(HTTPField.Name("X-Amz-Security-Token"))
        let delegate = try await Rig().fetch(
            server.url + "/start?token=s3cret&user=alice",
            fields: [.cookie: "session=s3cret", key: "s3cret"]
        ) { options in
            options.isVerbose = true
            options.authentication = .basic(user: "alice", password: "hunter2")
        }
        // The secret was sent but not logged.
        #expect(server.requests[0].header("Authorization") != nil)
        let lines = logs(delegate)
        #expect(lines.contains { $0.hasPrefix("GET /start") })
        #expect(lines.contains { $0.hasPrefix("HTTP/1.1 200") })
        #expect(lines.contains { $0.lowercased().hasPrefix("authorization:") })
        #expect(lines.contains { $0.contains("127.0.0.1") })
        expectNoSecret(lines)
    }

    @Test func bearerTokenAndURLPasswordAreRedacted() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let bearer = try await rig.fetch(server.url) { options in
            options.isVerbose = true
            options.authentication = .bearer(token: "s3cret")
        }
        let url = "http://alice:hunter2@127.0.0.1:\(server.port)/?key=s3cret#s3cret"
        let embedded = try await rig.fetch(url) { $0.isVerbose = true }
        #expect(server.requests[1].header("Authorization") == "Basic YWxpY2U6aHVudGVyMg==")
        expectNoSecret(logs(bearer))
        expectNoSecret(logs(embedded))
        #expect(!logs(embedded).isEmpty)
    }

    @Test func proxyPasswordIsRedacted() async throws {
        let proxy = try LoopbackServer { _ in .text("via") }
        let delegate = try await Rig().fetch("http://a.test/?key=s3cret") { options in
            options.isVerbose = true
            options.proxy = .server(
                ProxyServer(
                    .http,
                    host: "127.0.0.1",
                    port: proxy.port,
                    credentials: Credentials(user: "alice", password: "hunter2")
                )
            )
        }
        #expect(delegate.bodyText == "via")
        #expect(proxy.requests[0].header("Proxy-Authorization") != nil)
        expectNoSecret(logs(delegate))
    }

    @Test func nothingIsLoggedByDefault() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        #expect(logs(try await Rig().fetch(server.url)).isEmpty)
    }

    @Test func logHookGetsLinesInOrder() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let lines = EventRecorder<String>()
        var hooks = ClientHooks()
        hooks.log = { _, line in lines.record(line.text) }
        var options = TransferOptions()
        options.isVerbose = true
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await client.send(HTTPRequest(url: server.url + "/?s3cret"))
        _ = try await response.body.collect(upTo: 1)
        _ = try await lines.first { $0.hasPrefix("HTTP/1.1 200") }
        let order = lines.events
        let sent = try #require(order.firstIndex { $0.hasPrefix("GET /") })
        let received = try #require(order.firstIndex { $0.hasPrefix("HTTP/1.1 200") })
        #expect(sent < received)
        expectNoSecret(order)
    }

    @Test func slowLogHookDoesNotBlockAndGetsDroppedCount() async throws {
        let fields = (0..<3000).map { ("X-\($0)", "v") }
        let server = try LoopbackServer { _ in Reply(headers: fields, body: .bytes([120])) }
        let gate = Gate()
        let lines = EventRecorder<TransferLogLine>()
        var hooks = ClientHooks()
        hooks.log = { _, line in
            try? await gate.wait()
            lines.record(line)
        }
        var options = TransferOptions()
        options.isVerbose = true
        options.responseHeadLimits.maximumFieldCount = 4000
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await client.send(HTTPRequest(url: server.url))
        #expect(try await response.body.collect(upTo: 1) == [120])
        await client.shutdown()
        gate.open()
        _ = try await lines.first { $0.text.contains("X-2999: v") }
        let logged = lines.events
        // Two, if the hook was first called after many lines had arrived.
        #expect((1...2).contains(logged.count { $0.kind == .dropped }))
        #expect(logged.count <= 2 * (1024 + 1))
    }

    @Test func errorsAreRedacted() async throws {
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let broken = try LoopbackServer.scripted([.readHead, .send("nonsense s3cret"), .close])
        let loop = try LoopbackServer { _ in .redirect(to: "/?token=s3cret") }
        let bad = try LoopbackServer { _ in .redirect(to: "ftp://alice:hunter2@h/?s3cret") }
        let port = try LoopbackServer.unusedPort()
        let rig = try Rig()
        for base in [silent.port, broken.port, loop.port, bad.port, port] {
            let delegate = RecordingDelegate()
            let url = "http://alice:hunter2@127.0.0.1:\(base)/path?token=s3cret#s3cret"
            try rig.start(url, delegate: delegate) { options in
                options.timeouts.firstByte = .milliseconds(100)
                options.isVerbose = true
            }
            let error = try await delegate.failure()
            expectNoSecret(texts(error))
            #expect(error.url?.contains("/") == true)
            expectNoSecret(logs(delegate))
        }
        let parse = #expect(throws: TransportError.self) {
            try HTTPRequest(url: "http://alice:hunter2@a b/?s3cret")
        }
        expectNoSecret(texts(try #require(parse)))
    }
}
