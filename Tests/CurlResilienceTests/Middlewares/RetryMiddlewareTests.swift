import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetryMiddlewareTests {
    private let clock = ManualClock(isAutomatic: true)

    private func middleware(
        random: Double = 1,
        _ change: (inout RetryMiddleware.Policy) -> Void = { _ in }
    ) -> RetryMiddleware {
        var policy = RetryMiddleware.Policy()
        change(&policy)
        return RetryMiddleware(policy, clock: clock.resilience(random: random))
    }

    @Test("A temporary failure is retried after a delay that doubles")
    func temporaryFailureIsRetried() async throws {
        let stub = StubExchange(statuses: [503, 500, 200])
        let response = try await middleware().send(to: stub)
        #expect(response.statusCode == 200 && stub.count == 3)
        #expect(clock.waits == [.milliseconds(100), .milliseconds(300)])
    }

    @Test("After the last retry the response is returned, and its body can be read")
    func lastResponseIsReturned() async throws {
        let stub = StubExchange { _, request in .stub(503, to: request, body: "down") }
        let response = try await middleware { $0.limit = 1 }.send(to: stub)
        #expect(response.statusCode == 503 && stub.count == 2)
        #expect(try await response.body.collect(upTo: 10) == Array("down".utf8))
    }

    @Test("After the last retry the error is thrown")
    func lastErrorIsThrown() async throws {
        let stub = StubExchange { _, _ throws(TransportError) in throw .lost }
        #expect(await middleware().failure(to: stub) == .lost)
        #expect(stub.count == 3)
    }

    @Test("A request that wasn't sent because its deadline is too near isn't retried")
    func lateRequestIsNotRetried() async throws {
        let limit = try RateLimitMiddleware(
            requests: 1,
            per: .seconds(60),
            clock: clock.resilience()
        )
        let stub = StubExchange(statuses: [200])
        let chain = MiddlewareChain([middleware(), limit], around: stub)
        _ = try await chain.send(.stub(), body: .none, context: RequestContext())
        let context = RequestContext(deadline: clock.deadline(after: .seconds(50)))
        let error = await #expect(throws: TransportError.self) {
            try await chain.send(.stub(), body: .none, context: context)
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(stub.count == 1 && clock.waits.isEmpty)
    }

    @Test("Final statuses aren't retried", arguments: [200, 204, 301, 400, 401, 404, 501])
    func finalStatusIsReturned(status: Int) async throws {
        let stub = StubExchange(statuses: [status])
        #expect(try await middleware().send(to: stub).statusCode == status)
        #expect(stub.count == 1)
    }

    @Test("A POST is retried only if the server hasn't acted on it")
    func postIsRetriedOnlyIfItWasNotProcessed() async throws {
        let middleware = middleware { $0.budgetReserve = 100 }
        for (status, count) in [(500, 1), (503, 1), (429, 2), (425, 2)] {
            let stub = StubExchange(statuses: [status, 200])
            _ = try await middleware.send(.stub(.post), to: stub)
            #expect(stub.count == count, "\(status)")
        }
        for (error, count) in [(TransportError.lost, 1), (.refused, 3)] {
            let stub = StubExchange { _, _ throws(TransportError) in throw error }
            _ = await middleware.failure(.stub(.post), to: stub)
            #expect(stub.count == count)
        }
    }

    @Test("The context's idempotency takes precedence over the method")
    func contextDecidesAboutRepetition() async throws {
        for (method, idempotency, count) in [
            (HTTPRequest.Method.post, Idempotency.yes, 2), (.get, .no, 1),
        ] {
            let stub = StubExchange(statuses: [500, 200])
            let context = RequestContext(idempotency: idempotency)
            _ = try await middleware().send(.stub(method), context: context, to: stub)
            #expect(stub.count == count)
        }
    }

    @Test("A body that can be sent only once prevents a retry")
    func onceOnlyBodyPreventsARetry() async throws {
        let stub = StubExchange { _, _ throws(TransportError) in throw .refused }
        #expect(await middleware().failure(.stub(.put), body: .once, to: stub) == .refused)
        #expect(stub.count == 1)
    }

    @Test("Retry-After replaces the delay, up to the maximum")
    func retryAfterReplacesTheDelay() async throws {
        for (value, delay) in [("7", 7), ("3600", 30)] {
            let clock = ManualClock(isAutomatic: true)
            let middleware = RetryMiddleware(clock: clock.resilience())
            let stub = StubExchange { number, request in
                .stub(number == 0 ? 503 : 200, to: request, fields: [.retryAfter: value])
            }
            #expect(try await middleware.send(to: stub).statusCode == 200)
            #expect(clock.elapsed == .seconds(delay))
        }
    }

    @Test("No retry is made if its delay ends after the deadline")
    func noRetryIsMadeAfterTheDeadline() async throws {
        let stub = StubExchange(statuses: [503], fields: [.retryAfter: "7"])
        let late = RequestContext(deadline: clock.deadline(after: .seconds(6)))
        #expect(try await middleware().send(context: late, to: stub).statusCode == 503)
        #expect(stub.count == 1 && clock.waits.isEmpty)
        let early = RequestContext(deadline: clock.deadline(after: .seconds(8)))
        _ = try await middleware().send(context: early, to: stub)
        #expect(stub.count == 3, "one retry, and none after it")
    }

    @Test("Retries are at most a share of all requests, for each origin")
    func retriesAreAShareOfRequests() async throws {
        let stub = StubExchange(statuses: [503])
        let middleware = middleware {
            $0.budgetReserve = 0
            $0.budgetShare = 0.2
        }
        for _ in 0..<100 { _ = try await middleware.send(to: stub) }
        #expect(stub.count == 120)
        let other = StubExchange(statuses: [503])
        for _ in 0..<5 { _ = try await middleware.send(.stub(host: "b.example"), to: other) }
        #expect(other.count == 6)
    }

    @Test("Saved retries are limited, so that an outage after a long time causes no storm")
    func savedRetriesAreLimited() async throws {
        let middleware = middleware { $0.budgetReserve = 0 }
        let healthy = StubExchange(statuses: [200])
        for _ in 0..<5000 { _ = try await middleware.send(to: healthy) }
        let down = StubExchange(statuses: [503])
        for _ in 0..<500 { _ = try await middleware.send(to: down) }
        // Those of 500 requests before it, and of the 500 themselves.
        #expect(down.count <= 500 + 200)
    }

    @Test("Cancelling the task ends the wait before a retry")
    func cancellationEndsTheWait() async throws {
        let clock = ManualClock()
        let middleware = RetryMiddleware(clock: clock.resilience())
        let stub = StubExchange(statuses: [503])
        let task = Task { await middleware.failure(to: stub) }
        try await clock.begun(1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(stub.count == 1)
    }

    @Test("A request that a circuit breaker refused isn't retried")
    func refusalOfABreakerIsNotRetried() async throws {
        let refusal = TransportError(.circuitOpen, phase: .queued, message: "open")
        let stub = StubExchange { _, _ throws(TransportError) in throw refusal }
        #expect(await middleware().failure(to: stub) == refusal)
        #expect(stub.count == 1)
    }

    @Test("Through a client, a long body doesn't keep its connection during the delay")
    func longBodyKeepsNoConnection() async throws {
        let server = try LoopbackServer.scripted(
            first: [
                .readHead, .send("HTTP/1.1 503 Busy\r\n\r\n"), .sendRepeating("no", times: nil),
            ],
            then: { _ in .text("now") }
        )
        let clock = ManualClock()
        let client = try HTTPClient(middleware: [RetryMiddleware(clock: clock.resilience())])
        let task = Task {
            let response = try await client.send(HTTPRequest(url: server.url))
            return try await response.body.collect(upTo: 10)
        }
        try await clock.begun(1)
        try await server.connectionClosed(0)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == Array("now".utf8))
        await client.shutdown()
    }

    @Test("Through a client, a request that was answered with 503 is sent again")
    func clientRetries() async throws {
        let count = Watched(0)
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return number == 1 ? .text("later", status: 503) : .text("now")
        }
        let client = try HTTPClient(middleware: [middleware()])
        let response = try await client.send(HTTPRequest(url: server.url))
        #expect(try await response.body.collect(upTo: 100) == Array("now".utf8))
        #expect(server.requestCount == 2 && clock.waits.count == 1)
        await client.shutdown()
    }
}
