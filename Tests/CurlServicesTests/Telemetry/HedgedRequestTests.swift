internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import InMemoryLogging
internal import InMemoryTracing
internal import Logging
internal import MetricsTestKit
internal import TestSupport
internal import Testing
internal import Tracing

/// How the two requests of `HedgingMiddleware` are reported.
@Suite(.timeLimit(.minutes(10))) struct HedgedRequestTests {
    private let tracer = InMemoryTracer()
    private let metrics = TestMetrics()
    private let handler = InMemoryLogHandler()
    private let firstHasArrived = Gate()

    /// Hedges when the first request has arrived.
    private func hedging() -> HedgingMiddleware {
        var policy = HedgingMiddleware.Policy()
        policy.delay = .fixed(.seconds(1))
        let start = ResilienceClock.time(of: .now)
        let clock = ResilienceClock(
            now: { start },
            sleep: { [firstHasArrived] _ in try await firstHasArrived.wait() },
            random: { 0 }
        )
        return HedgingMiddleware(policy, clock: clock)
    }

    /// Answers the first or the second request, when both have arrived.
    private func stub(answersFirst: Bool) -> StubClient {
        let count = Watched(0)
        let secondHasArrived = Gate()
        let never = Gate()
        return StubClient { [firstHasArrived] _ in
            let number = count.update { count in
                count += 1
                return count
            }
            guard number > 1 else {
                firstHasArrived.open()
                return .text("first").waiting(for: answersFirst ? secondHasArrived : never)
            }
            secondHasArrived.open()
            return answersFirst ? .text("second").waiting(for: never) : .text("second")
        }
    }

    private func logging() -> LoggingMiddleware {
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = .trace
        return LoggingMiddleware(logger)
    }

    private func send(_ middleware: [any HTTPMiddleware], answersFirst: Bool) async throws {
        let client = MiddlewareChain(middleware, around: stub(answersFirst: answersFirst))
        let response = try await client.send(HTTPRequest(url: "https://shop.example/"))
        let body = try await response.body.collect(upTo: 9)
        #expect(body == Array((answersFirst ? "first" : "second").utf8))
    }

    @Test(
        "A hedge is an event of the span and counted as resent, but no retry",
        arguments: [true, false]
    )
    func hedgeIsAnEvent(answersFirst: Bool) async throws {
        try await send(
            [TracingMiddleware(tracer: tracer), hedging()],
            answersFirst: answersFirst
        )
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1)
        #expect(span.events.map(\.name) == ["http.hedge"])
        #expect(span.attributes.get("http.request.resend_count") == .int64(1))
        #expect(span.attributes.get("error.type") == nil)
        #expect(span.status == nil && span.errors.isEmpty)
    }

    @Test(
        "Inside of the hedging, the slower request's span isn't an error",
        arguments: [true, false]
    )
    func slowerSpanIsNoError(answersFirst: Bool) async throws {
        try await send(
            [hedging(), TracingMiddleware(tracer: tracer)],
            answersFirst: answersFirst
        )
        let spans = tracer.finishedSpans
        #expect(spans.count == 2)
        #expect(spans.allSatisfy { $0.status == nil && $0.errors.isEmpty && $0.events.isEmpty })
        let types = spans.compactMap { $0.attributes.get("error.type") }
        #expect(types == [.string("lostHedge")])
        let resent = spans.compactMap { $0.attributes.get("http.request.resend_count") }
        #expect(resent == [.int64(1)])
    }

    @Test(
        "Metrics count the hedge, and the slower request apart from failures",
        arguments: [true, false],
        [true, false]
    )
    func hedgeIsCounted(answersFirst: Bool, isInside: Bool) async throws {
        let measuring: any HTTPMiddleware = MetricsMiddleware(factory: metrics)
        try await send(
            isInside ? [hedging(), measuring] : [measuring, hedging()],
            answersFirst: answersFirst
        )
        let hedges = metrics.counters.filter { $0.label == "http.client.hedges" }
        #expect(hedges.map(\.totalValue) == [1])
        let timers = metrics.timers(label: "http.client.request.duration")
        #expect(timers.flatMap(\.values).count == 2)
        let types = timers.flatMap(\.dimensions).filter { $0.0 == "error.type" }.map(\.1)
        #expect(types == ["lostHedge"])
        let active = metrics.meters(label: "http.client.active_requests")
        #expect(active.map(\.lastValue) == [0])
    }

    @Test("Lines tell the second request and the slower one", arguments: [true, false])
    func hedgeIsLogged(answersFirst: Bool) async throws {
        try await send([logging(), hedging()], answersFirst: answersFirst)
        let entries = handler.entries.filter { "\($0.message)" == "transfer ended" }
        #expect(entries.count == 2)
        let second = entries.filter { $0.metadata["hedge"] != nil }
        let lost = entries.filter { $0.metadata["error.type"] == .string("lostHedge") }
        #expect(second.count == 1 && lost.count == 1)
        #expect((second.first?.metadata["error.type"] == nil) == !answersFirst)
        let last = try #require(handler.entries.last)
        #expect("\(last.message)" == "request ended")
        #expect((last.metadata["hedge"] != nil) == !answersFirst)
    }

    @Test("If the caller cancels a hedged request, neither one is called the slower one")
    func cancellationIsNoHedge() async throws {
        let never = Gate()
        let ends = EventRecorder<TransferEnd>()
        let stub = StubClient { [firstHasArrived] _ in
            firstHasArrived.open()
            return .text("x").waiting(for: never)
        }
        let hedging: any HTTPMiddleware = hedging()
        let client = MiddlewareChain([hedging], around: stub)
        let context = RequestContext(observers: [Recorder(ends: ends)])
        let request = try HTTPRequest(url: "https://shop.example/")
        let task = Task { try await client.send(request, body: .none, context: context) }
        try await firstHasArrived.wait()
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(ends.events.allSatisfy { $0.error?.code == .cancelled && !$0.lostHedge })
    }

    private struct Recorder: TransferObserver {
        let ends: EventRecorder<TransferEnd>

        func transferDidEnd(_ end: TransferEnd) { ends.record(end) }
    }

    @Test("Through a client, the ends of both transfers tell what they were")
    func clientMarksTheEnds() async throws {
        let never = Gate()
        let count = Watched(0)
        let server = try LoopbackServer { [firstHasArrived] _ in
            let number = count.update { count in
                count += 1
                return count
            }
            guard number == 1 else { return .text("fast") }
            firstHasArrived.open()
            return .text("slow").after(never)
        }
        let ends = EventRecorder<TransferEnd>()
        let client = try HTTPClient(middleware: [hedging()])
        let context = RequestContext(observers: [Recorder(ends: ends)])
        let response = try await client.send(HTTPRequest(url: server.url), context: context)
        #expect(try await response.body.collect(upTo: 9) == Array("fast".utf8))
        await client.shutdown()
        #expect(ends.events.count == 2)
        let hedges = ends.events.filter(\.isHedge)
        #expect(hedges.map(\.statusCode) == [200] && hedges.map(\.lostHedge) == [false])
        let others = ends.events.filter { !$0.isHedge }
        #expect(others.map(\.lostHedge) == [true])
        #expect(others.map(\.error?.code) == [.cancelled])
    }
}
