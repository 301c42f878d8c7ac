import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticationMiddlewareTests {
    private struct RefreshFailure: Error, Equatable {}

    private let clock = ManualClock()
    private let refreshes = Watched<[AccessToken?]>([])

    /// A source whose refreshes yield `token 1`, `token 2` and so on.
    private func source(_ token: String? = nil, gate: Gate? = nil) -> TokenSource {
        TokenSource(
            token: token.map { AccessToken($0) },
            clock: clock.resilience()
        ) { [refreshes] replaced in
            let number = refreshes.update { refreshes in
                refreshes.append(replaced)
                return refreshes.count
            }
            try await gate?.wait()
            return AccessToken("token \(number)")
        }
    }

    private func middleware(_ source: TokenSource) throws -> AuthenticationMiddleware {
        try AuthenticationMiddleware(source, origins: ["https://API.example"])
    }

    /// Answers 200 to this token, and 401 to any other.
    private func stub(accepting token: String) -> StubExchange {
        StubExchange { _, request in
            let isValid = request.headerFields[.authorization] == "Bearer \(token)"
            return .stub(isValid ? 200 : 401, to: request)
        }
    }

    @Test("The first request gets a token, and later ones use it")
    func firstRequestGetsAToken() async throws {
        let middleware = try middleware(source())
        let stub = stub(accepting: "token 1")
        for _ in 0..<3 { #expect(try await middleware.send(to: stub).statusCode == 200) }
        #expect(stub.count == 3 && refreshes.read { $0 } == [nil])
    }

    @Test("Many requests that are refused at once share one refresh, and are sent once more each")
    func refusedRequestsShareARefresh() async throws {
        let gate = Gate()
        let middleware = try middleware(source("old"))
        // A request that comes after the first refusal would wait for the new token.
        let stub = StubExchange { number, request in
            if number < 50 { try? await gate.wait() }
            let isValid = request.headerFields[.authorization] == "Bearer token 1"
            return .stub(isValid ? 200 : 401, to: request)
        }
        let tasks = (0..<50).map { index in
            let request = HTTPRequest.stub(index % 2 == 0 ? .get : .post)
            return Task { try await middleware.send(request, to: stub).statusCode }
        }
        try await stub.received(50)
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        #expect(stub.count == 100)
        #expect(refreshes.read { $0 } == [AccessToken("old")])
    }

    @Test("A second 401 is returned")
    func secondRefusalIsReturned() async throws {
        let middleware = try middleware(source("old"))
        let stub = stub(accepting: "another")
        #expect(try await middleware.send(to: stub).statusCode == 401)
        #expect(stub.count == 2)
    }

    @Test("A failed refresh fails the requests that wait, and the next request refreshes again")
    func failedRefreshFailsTheRequests() async throws {
        let count = Watched(0)
        let source = TokenSource(clock: clock.resilience()) { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            if number == 1 { throw RefreshFailure() }
            return AccessToken("token 1")
        }
        let middleware = try middleware(source)
        let stub = stub(accepting: "token 1")
        let error = try #require(await middleware.failure(to: stub))
        #expect(error.code == .authenticationFailed && error.underlying is RefreshFailure)
        #expect(stub.count == 0)
        #expect(try await middleware.send(to: stub).statusCode == 200)
    }

    @Test("Other origins and requests with the field get no token")
    func otherRequestsGetNoToken() async throws {
        let middleware = try middleware(source("secret"))
        let stub = StubExchange(statuses: [401])
        var own = HTTPRequest.stub()
        own.headerFields[.authorization] = "Basic eDp5"
        let others = [
            own, .stub(host: "api.example.evil"), .stub(host: "api.example:8443"),
            HTTPRequest(method: .get, scheme: "http", authority: "api.example", path: "/"),
        ]
        for request in others {
            #expect(try await middleware.send(request, to: stub).statusCode == 401)
        }
        #expect(stub.requests == others && refreshes.read { $0.isEmpty })
    }

    @Test("A body that can be sent once isn't sent again, and the next request has a new token")
    func onceOnlyBodyIsNotSentAgain() async throws {
        let middleware = try middleware(source("old"))
        let stub = stub(accepting: "token 1")
        let first = try await middleware.send(.stub(.post), body: .once, to: stub)
        #expect(first.statusCode == 401 && stub.count == 1)
        #expect(try await middleware.send(to: stub).statusCode == 200)
        #expect(stub.count == 2)
    }

    @Test("Cancelling one of the waiting requests doesn't end the refresh")
    func cancellationDoesNotEndTheRefresh() async throws {
        let gate = Gate()
        let middleware = try middleware(source(gate: gate))
        let stub = stub(accepting: "token 1")
        let first = Task { await middleware.failure(to: stub)?.code }
        _ = try await refreshes.wait { $0.isEmpty ? nil : true }
        let second = Task { try await middleware.send(to: stub).statusCode }
        first.cancel()
        #expect(await first.value == .cancelled)
        gate.open()
        #expect(try await second.value == 200)
        #expect(refreshes.read { $0.count } == 1)
    }

    @Test("A request waits for a refresh until its deadline")
    func waitEndsAtTheDeadline() async throws {
        let gate = Gate()
        let middleware = try middleware(source(gate: gate))
        let stub = stub(accepting: "token 1")
        let context = RequestContext(deadline: clock.deadline(after: .seconds(2)))
        let task = Task { await middleware.failure(context: context, to: stub)?.code }
        try await clock.begun(1)
        clock.advance(by: .seconds(2))
        #expect(await task.value == .deadlineExceeded)
        gate.open()
        #expect(try await middleware.send(to: stub).statusCode == 200)
    }

    @Test("A token is replaced when it expires")
    func expiredTokenIsReplaced() async throws {
        let clock = clock
        let source = TokenSource(
            token: AccessToken("old", expiry: clock.deadline(after: .seconds(60))),
            clock: clock.resilience()
        ) { _ in AccessToken("token 1") }
        let middleware = try middleware(source)
        let stub = StubExchange(statuses: [200])
        _ = try await middleware.send(to: stub)
        clock.advance(by: .seconds(60))
        _ = try await middleware.send(to: stub)
        let values = stub.requests.map { $0.headerFields[.authorization] }
        #expect(values == ["Bearer old", "Bearer token 1"])
    }

    @Test("Through a client, a refused response with a long body leaves its place to the second")
    func refusedResponseKeepsNoPlace() async throws {
        let server = try LoopbackServer { request in
            if request.header("Authorization") == "Bearer token 1" { return .text("in") }
            return .steps([
                .send("HTTP/1.1 401 Unauthorized\r\n\r\n"), .sendRepeating("no", times: nil),
            ])
        }
        var policy = ConcurrencyMiddleware.Policy()
        policy.maximum = 1
        let client = try HTTPClient(middleware: [
            try AuthenticationMiddleware(source("old"), origins: [server.url]),
            try ConcurrencyMiddleware(policy),
        ])
        let response = try await client.send(
            HTTPRequest(url: server.url),
            deadline: .now + .seconds(120)
        )
        #expect(try await response.body.collect(upTo: 10) == Array("in".utf8))
        await client.shutdown()
    }

    @Test(
        "Through a client, a redirect to another origin doesn't carry the token there",
        arguments: ["Authorization", "X-Pass"]
    )
    func redirectDropsToken(_ name: String) async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let url = other.url
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/same") : .redirect(to: url + "/")
        }
        let middleware = try AuthenticationMiddleware(
            source("old"),
            origins: [server.url],
            field: try #require(HTTPField.Name(name))
        )
        let client = try HTTPClient(middleware: [middleware])
        let response = try await client.send(HTTPRequest(url: server.url + "/"))
        #expect(try await response.body.collect(upTo: 10) == Array("other".utf8))
        #expect(server.requests.map { $0.header(name) } == ["Bearer old", "Bearer old"])
        #expect(other.requests.map { $0.header(name) } == [nil])
        await client.shutdown()
    }

    @Test("Through a client, a refresh sends its own request with the same client")
    func refreshUsesTheSameClient() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/login" { return .text("fresh") }
            return request.header("Authorization") == "Bearer fresh"
                ? .text("in") : .text("out", status: 401)
        }
        let clients = Watched<HTTPClient?>(nil)
        let source = TokenSource(token: AccessToken("old")) { _ in
            let client = try await clients.wait { $0 }
            let response = try await client.send(HTTPRequest(url: server.url + "/login"))
            let bytes = try await response.body.collect(upTo: 100)
            return AccessToken(String(decoding: bytes, as: UTF8.self))
        }
        let middleware = try AuthenticationMiddleware(source, origins: [server.url])
        let client = try HTTPClient(middleware: [middleware])
        clients.update { $0 = client }
        let response = try await client.send(HTTPRequest(url: server.url + "/"))
        #expect(try await response.body.collect(upTo: 10) == Array("in".utf8))
        #expect(server.requests.map(\.path) == ["/", "/login", "/"])
        await client.shutdown()
    }

    @Test("A refresh's own request has the token of another source")
    func refreshUsesAnotherSource() async throws {
        let stub = StubExchange { _, request in
            let sent = request.headerFields[.authorization]
            let needed = request.authority == "login.example" ? "Bearer service" : "Bearer fresh"
            return .stub(sent == needed ? 200 : 401, to: request)
        }
        let service = TokenSource { _ in AccessToken("service") }
        let login = try AuthenticationMiddleware(service, origins: ["https://login.example"])
        let source = TokenSource { _ in
            let response = try await login.send(.stub(host: "login.example"), to: stub)
            return AccessToken(response.statusCode == 200 ? "fresh" : "none")
        }
        #expect(try await middleware(source).send(to: stub).statusCode == 200)
        let sent = stub.requests.map { $0.headerFields[.authorization] }
        #expect(sent == ["Bearer service", "Bearer fresh"])
    }

    @Test("A refresh that needs its own token fails instead of waiting for itself")
    func refreshDoesNotWaitForItself() async throws {
        let sources = Watched<TokenSource?>(nil)
        let source = TokenSource { _ in
            let source = try await sources.wait { $0 }
            return try await source.token()
        }
        sources.update { $0 = source }
        let error = await #expect(throws: TransportError.self) { try await source.token() }
        #expect(error?.code == .authenticationFailed)
        let cause = error?.underlying as? TransportError
        #expect(cause?.message.contains("needs this token itself") == true)
    }
}
