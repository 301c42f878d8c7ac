import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HedgingMiddlewareTests {
    private let clock = ManualClock()

    private func middleware(
        _ delay: HedgingMiddleware.Delay = .fixed(.seconds(1)),
        _ change: (inout HedgingMiddleware.Policy) -> Void = { _ in }
    ) -> HedgingMiddleware {
        var policy = HedgingMiddleware.Policy()
        policy.delay = delay
        change(&policy)
        return HedgingMiddleware(policy, clock: clock.resilience())
    }

    @Test("The second request's response wins, and the first request is cancelled")
    func secondResponseWins() async throws {
        let gate = Gate()
        let ends = EventRecorder<TransportError.Code>()
        let stub = StubExchange { number, request throws(TransportError) in
            guard number == 0 else { return .stub(201, to: request) }
            do throws(TransportError) {
                try await wait(for: gate)
            } catch {
                ends.record(error.code)
                throw error
            }
            return .stub(200, to: request)
        }
        let middleware = middleware()
        let task = Task { try await middleware.send(to: stub).statusCode }
        try await stub.received(1)
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 201)
        #expect(try await ends.wait(count: 1) == [.cancelled])
        #expect(stub.count == 2)
    }

    @Test("A response before the delay prevents the second request")
    func fastResponseIsNotHedged() async throws {
        let stub = StubExchange(statuses: [200])
        #expect(try await middleware().send(to: stub).statusCode == 200)
        #expect(stub.count == 1)
    }

    @Test("If one request fails, the other one counts")
    func otherRequestCounts() async throws {
        let gate = Gate()
        let stub = StubExchange { number, request throws(TransportError) in
            guard number == 0 else {
                gate.open()
                throw .lost
            }
            try await wait(for: gate)
            return .stub(200, to: request)
        }
        let middleware = middleware()
        let task = Task { try await middleware.send(to: stub).statusCode }
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 200)
    }

    @Test(
        "A second request that is refused or fails doesn't end the first one",
        arguments: [.circuitOpen, .queueFull, .tlsConfiguration] as [TransportError.Code]
    )
    func refusedSecondRequestDoesNotCount(_ code: TransportError.Code) async throws {
        let gate = Gate()
        let stub = StubExchange { number, request throws(TransportError) in
            guard number == 0 else { throw TransportError(code, phase: .queued, message: "") }
            try await wait(for: gate)
            return .stub(200, to: request)
        }
        let middleware = middleware()
        let task = Task { try await middleware.send(to: stub).statusCode }
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        try await stub.received(2)
        gate.open()
        #expect(try await task.value == 200)
    }

    @Test("If one fails and the other is refused, the failure is returned")
    func failureIsReturnedBeforeRefusal() async throws {
        let gate = Gate()
        let stub = StubExchange { number, _ throws(TransportError) in
            guard number == 0 else {
                gate.open()
                throw TransportError(.circuitOpen, phase: .queued, message: "")
            }
            try await wait(for: gate)
            throw .lost
        }
        let middleware = middleware()
        let task = Task { await middleware.failure(to: stub) }
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        #expect(await task.value == .lost)
    }

    /// Opens a gate when two requests have arrived.
    private struct Arrivals: HTTPMiddleware {
        let both = Gate()
        private let count = Watched(0)

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            let number = count.update { count in
                count += 1
                return count
            }
            if number == 2 { both.open() }
            return try await next.send(request, body: body, context: context)
        }
    }

    @Test("A response that isn't used leaves its place to the second request")
    func unusedResponseLeavesItsPlace() async throws {
        var policy = ConcurrencyMiddleware.Policy()
        policy.maximum = 1
        policy.isAdaptive = false
        let arrivals = Arrivals()
        let count = Watched(0)
        let stub = StubClient { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            guard number == 1 else { return .text("up") }
            // Its body doesn't end.
            return .text("down", status: .serviceUnavailable)
                .delayed(by: .zero, eachChunkBy: .seconds(86_400))
                .waiting(for: arrivals.both)
        }
        let chain = MiddlewareChain(
            [
                middleware(), arrivals,
                try ConcurrencyMiddleware(policy, clock: clock.resilience()),
            ],
            around: stub
        )
        let task = Task {
            try await chain.send(.stub(), body: .none, context: RequestContext()).statusCode
        }
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 200)
    }

    @Test("A failure before the delay is returned, not hedged")
    func failureIsNotHedged() async throws {
        let stub = StubExchange { _, _ throws(TransportError) in throw .lost }
        #expect(await middleware().failure(to: stub) == .lost)
        #expect(stub.count == 1)
    }

    @Test("Requests that mustn't be repeated have no second one")
    func unrepeatableRequestsAreNotHedged() async throws {
        let middleware = middleware(.fixed(.zero))
        let stub = StubExchange(statuses: [200])
        _ = try await middleware.send(.stub(.post), to: stub)
        _ = try await middleware.send(.stub(.put), body: .once, to: stub)
        _ = try await middleware.send(context: RequestContext(idempotency: .no), to: stub)
        let late = RequestContext(deadline: clock.deadline(after: .zero))
        _ = try await middleware.send(context: late, to: stub)
        #expect(stub.count == 4 && clock.waits.isEmpty)
    }

    @Test("Second requests are at most a share of all")
    func budgetLimitsSecondRequests() async throws {
        let middleware = middleware {
            $0.budgetReserve = 0
            $0.budgetShare = 0.25
        }
        let hedges = Watched(0)
        for round in 1...8 {
            let gate = Gate()
            let stub = StubExchange { number, request throws(TransportError) in
                if number == 0 { try await wait(for: gate) } else { hedges.update { $0 += 1 } }
                return .stub(200, to: request)
            }
            let task = Task { try await middleware.send(to: stub).statusCode }
            try await stub.received(1)
            try await clock.begun(round)
            clock.advance(by: .seconds(1))
            if round % 4 == 0 { try await stub.received(2) } else { gate.open() }
            #expect(try await task.value == 200)
        }
        #expect(hedges.read { $0 } == 2)
    }

    @Test(
        "The delay is measured after 50 responses, however many other origins there are",
        arguments: [0, 1_100]
    )
    func delayIsMeasured(others: Int) async throws {
        let middleware = middleware(.percentile(0.95))
        let clock = clock
        let quick = StubExchange { _, request in
            clock.advance(by: .milliseconds(20))
            return .stub(200, to: request)
        }
        for _ in 0..<50 { _ = try await middleware.send(to: quick) }
        for number in 0..<others {
            _ = try await middleware.send(.stub(host: "other\(number).example"), to: quick)
        }
        #expect(clock.waits.isEmpty)
        let before = clock.elapsed
        let gate = Gate()
        let stub = StubExchange { number, request throws(TransportError) in
            if number == 0 { try await wait(for: gate) }
            return .stub(201, to: request)
        }
        let task = Task { try await middleware.send(to: stub).statusCode }
        try await clock.begun(1)
        let delay = (clock.waits.first ?? .zero) - before
        #expect(delay >= .milliseconds(20) && delay <= .milliseconds(23))
        clock.advance(by: delay)
        #expect(try await task.value == 201)
    }

    @Test("Cancelling the task cancels both requests")
    func cancellationCancelsBoth() async throws {
        let gate = Gate()
        let stub = StubExchange { _, request throws(TransportError) in
            try await wait(for: gate)
            return .stub(200, to: request)
        }
        let middleware = middleware()
        let task = Task { await middleware.failure(to: stub)?.code }
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        try await stub.received(2)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("Through a client, a stalled request is overtaken by the second one")
    func stalledRequestIsOvertaken() async throws {
        let count = Watched(0)
        let never = Gate()
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return number == 1 ? .text("slow").after(never) : .text("fast")
        }
        let client = try HTTPClient(middleware: [middleware()])
        let task = Task {
            let response = try await client.send(HTTPRequest(url: server.url))
            return try await response.body.collect(upTo: 10)
        }
        try await server.requests(count: 1)
        try await clock.begun(1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == Array("fast".utf8))
        await client.shutdown()
    }
}
