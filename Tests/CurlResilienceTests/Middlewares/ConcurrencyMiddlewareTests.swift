import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConcurrencyMiddlewareTests {
    private let clock = ManualClock()

    private func middleware(
        _ maximum: Int,
        queued: Int? = nil,
        origins: [String: Int] = [:],
        isAdaptive: Bool = true
    ) throws -> ConcurrencyMiddleware {
        var policy = ConcurrencyMiddleware.Policy()
        policy.maximum = maximum
        policy.maximumQueued = queued
        policy.origins = origins
        policy.isAdaptive = isAdaptive
        return try ConcurrencyMiddleware(policy, clock: clock.resilience())
    }

    /// Answers when the gate is open.
    private func stub(_ gate: Gate, status: Int = 200) -> StubExchange {
        StubExchange { _, request throws(TransportError) in
            try await wait(for: gate)
            return .stub(status, to: request)
        }
    }

    @Test("No more requests than the maximum are in flight, and origins don't delay each other")
    func maximumLimitsRequests() async throws {
        let middleware = try middleware(2, origins: ["https://B.example": 1])
        let gate = Gate()
        let counts = Watched<[String: (now: Int, most: Int)]>([:])
        let stub = StubExchange { _, request throws(TransportError) in
            let host = request.authority ?? ""
            counts.update { counts in
                let count = (counts[host]?.now ?? 0) + 1
                counts[host] = (count, max(count, counts[host]?.most ?? 0))
            }
            try await wait(for: gate)
            counts.update { counts in
                counts[host] = counts[host].map { ($0.now - 1, $0.most) }
            }
            return .stub(200, to: request)
        }
        let tasks = ["a.example", "b.example"].flatMap { host in
            (0..<20).map { _ in Task { await middleware.failure(.stub(host: host), to: stub) } }
        }
        try await stub.received(3)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(stub.count == 40)
        #expect(counts.read { $0.mapValues(\.most) } == ["a.example": 2, "b.example": 1])
    }

    @Test("Whichever requests are cancelled, all end and no place is lost", arguments: 0..<10)
    func cancellationsLoseNoPlace(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let middleware = try middleware(3)
        let stub = StubExchange { _, request in
            await Task.yield()
            return .stub(200, to: request)
        }
        var tasks: [Task<TransportError.Code?, Never>] = []
        for _ in 0..<200 {
            tasks.append(Task { await middleware.failure(to: stub)?.code })
            if Bool.random(using: &generator) {
                tasks.randomElement(using: &generator)?.cancel()
            }
        }
        for task in tasks {
            let code = await task.value
            #expect(code == nil || code == .cancelled)
        }
        let gate = Gate()
        let held = self.stub(gate)
        let last = (0..<3).map { _ in Task { await middleware.failure(to: held) } }
        try await held.received(3)
        gate.open()
        for task in last { #expect(await task.value == nil) }
    }

    @Test("A request that waits fails at its deadline")
    func waitEndsAtTheDeadline() async throws {
        let middleware = try middleware(1)
        let gate = Gate()
        let stub = stub(gate)
        let first = Task { await middleware.failure(to: stub) }
        try await stub.received(1)
        let context = RequestContext(deadline: clock.deadline(after: .seconds(3)))
        let second = Task { await middleware.failure(context: context, to: stub) }
        try await clock.begun(1)
        clock.advance(by: .seconds(3))
        let error = try #require(await second.value)
        #expect(error.code == .deadlineExceeded && error.retry == .always)
        let limit = "its deadline is before the concurrency limit of https://api.example:443 allows"
        #expect(error.message.contains(limit))
        gate.open()
        #expect(await first.value == nil)
        #expect(stub.count == 1)
        // Its place in the queue is free.
        #expect(await middleware.failure(to: stub) == nil)
    }

    @Test("A cancelled request leaves the queue to those behind it")
    func cancelledRequestLeavesTheQueue() async throws {
        let middleware = try middleware(1)
        let gate = Gate()
        let stub = stub(gate)
        let first = Task { await middleware.failure(to: stub) }
        try await stub.received(1)
        let cancelled = Task { await middleware.failure(to: stub) }
        let second = Task { await middleware.failure(to: stub) }
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        gate.open()
        #expect(await first.value == nil)
        #expect(await second.value == nil)
        #expect(stub.count == 2)
    }

    @Test("An origin that asks for fewer requests gets half as many at once")
    func overloadHalvesTheLimit() async throws {
        let middleware = try middleware(4, queued: 0)
        _ = try await middleware.send(to: StubExchange(statuses: [429]))
        let gate = Gate()
        let stub = stub(gate)
        let tasks = (0..<2).map { _ in Task { await middleware.failure(to: stub) } }
        try await stub.received(2)
        #expect(await middleware.failure(to: stub)?.code == .queueFull)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test("Without adaptation the limit stays")
    func fixedLimitStays() async throws {
        let middleware = try middleware(2, queued: 0, isAdaptive: false)
        for _ in 0..<10 { _ = try await middleware.send(to: StubExchange(statuses: [503])) }
        #expect(clock.waits.isEmpty)
        let gate = Gate()
        let stub = stub(gate)
        let tasks = (0..<2).map { _ in Task { await middleware.failure(to: stub) } }
        try await stub.received(2)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test("At one request in flight, a delay between requests grows")
    func delayGrowsAtOneInFlight() async throws {
        let clock = ManualClock(isAutomatic: true)
        var policy = ConcurrencyMiddleware.Policy()
        policy.maximum = 1
        let middleware = try ConcurrencyMiddleware(policy, clock: clock.resilience())
        let stub = StubExchange(statuses: [503])
        for _ in 0..<4 { _ = try await middleware.send(to: stub) }
        #expect(clock.waits.count == 3)
        let early = RequestContext(deadline: clock.deadline(after: .milliseconds(1)))
        #expect(await middleware.failure(context: early, to: stub)?.code == .deadlineExceeded)
        #expect(stub.count == 4)
    }

    @Test(
        "An origin that isn't a URL is refused",
        arguments: ["", "example.org", "ftp://a.example"]
    )
    func invalidOriginIsRefused(_ origin: String) {
        #expect(throws: TransportError.self) { try middleware(1, origins: [origin: 2]) }
    }

    @Test("Through a client, a request is in flight until its body has ended")
    func bodyBelongsToTheRequest() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/slow" else { return .text("x") }
            return .steps([
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab".utf8)),
                .waitFor(gate), .send(Array("cd".utf8)),
            ])
        }
        let client = try HTTPClient(middleware: [try middleware(1, queued: 0)])
        let response = try await client.send(HTTPRequest(url: server.url + "/slow"))
        let error = await #expect(throws: TransportError.self) {
            try await client.send(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .queueFull)
        gate.open()
        #expect(try await response.body.collect(upTo: 10) == Array("abcd".utf8))
        let next = try await client.send(HTTPRequest(url: server.url))
        #expect(next.statusCode == 200)
        await client.shutdown()
    }

    @Test("Through a client, a released response ends its request")
    func releasedResponseEndsItsRequest() async throws {
        let server = try LoopbackServer { _ in
            .steps([
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab".utf8)), .stall,
            ])
        }
        let client = try HTTPClient(middleware: [try middleware(1)])
        for _ in 0..<3 {
            #expect(try await client.send(HTTPRequest(url: server.url)).statusCode == 200)
        }
        #expect(server.requestCount == 3)
        await client.shutdown()
    }
}
