internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bodies and hooks run with the task-local values of the sender.
@Suite(.timeLimit(.minutes(10))) struct CallerContextTests {
    @TaskLocal private static var name = "none"

    /// A body that records the task-local value at each call of `next()`.
    private struct NotingBody: AsyncSequence, Sendable {
        let seen: Watched<[String]>

        struct AsyncIterator: AsyncIteratorProtocol {
            let body: NotingBody
            var hasYielded = false

            mutating func next() async -> [UInt8]? {
                body.seen.update { $0.append(CallerContextTests.name) }
                defer { hasYielded = true }
                return hasYielded ? nil : [1, 2, 3]
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
    }

    @Test("A streamed body sees the sender's task-local values", arguments: [false, true])
    func bodyHasTheSendersValues(isRestartable: Bool) async throws {
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let client = try HTTPClient()
        for name in ["first", "second"] {
            let body = NotingBody(seen: Watched([]))
            let response = try await Self.$name.withValue(name) {
                try await client.send(
                    HTTPRequest(method: .post, url: server.url),
                    body: isRestartable ? .stream(restartable: { body }) : .stream(body)
                )
            }
            #expect(try await response.body.collect(upTo: 9) == Array("3".utf8))
            #expect(body.seen.read { $0 } == [name, name])
        }
    }

    @Test("A body that is sent twice sees the sender's task-local values both times")
    func repeatedBodyHasTheSendersValues() async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? Reply(307, headers: [("Location", "/b")], body: .bytes([]))
                : .text("\(request.bodyByteCount)")
        }
        let client = try HTTPClient()
        let body = NotingBody(seen: Watched([]))
        let response = try await Self.$name.withValue("sender") {
            try await client.send(
                HTTPRequest(method: .post, url: server.url + "/"),
                body: .stream(restartable: { body })
            )
        }
        #expect(try await response.body.collect(upTo: 9) == Array("3".utf8))
        #expect(body.seen.read { $0 } == ["sender", "sender", "sender", "sender"])
    }

    @Test("The redirect and log hooks see the sender's task-local values")
    func hooksHaveTheSendersValues() async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? Reply(302, headers: [("Location", "/b")], body: .bytes([])) : .text("there")
        }
        let redirects = Watched<[String]>([])
        let lines = Watched<[String]>([])
        var hooks = ClientHooks()
        hooks.redirect = { _ in
            redirects.update { $0.append(Self.name) }
            return .follow
        }
        hooks.log = { _, _ in lines.update { $0.append(Self.name) } }
        var options = TransferOptions()
        options.redirects.mode = .ask
        options.isVerbose = true
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await Self.$name.withValue("sender") {
            try await client.send(HTTPRequest(url: server.url + "/"))
        }
        #expect(try await response.body.collect(upTo: 9) == Array("there".utf8))
        #expect(redirects.read { $0 } == ["sender"])
        try await lines.wait { $0.count > 5 ? () : nil }
        #expect(Set(lines.read { $0 }) == ["sender"])
    }

    @Test(
        "The server trust hook sees the sender's task-local values",
        .enabled(if: NginxPeer.isAvailable)
    )
    func trustHookHasTheSendersValues() async throws {
        let nginx = try await NginxPeer.start()
        defer { nginx.stop() }
        let seen = Watched<[String]>([])
        var hooks = ClientHooks()
        hooks.serverTrust = { _ in
            seen.update { $0.append(Self.name) }
            return .accept
        }
        let options = try PeerClient.options { $0.tls.evaluatesServerTrust = true }
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await Self.$name.withValue("sender") {
            try await client.send(HTTPRequest(url: nginx.url(.selfSigned, "/")))
        }
        _ = try await response.body.collect(upTo: 1 << 20)
        #expect(seen.read { $0 } == ["sender"])
    }
}
