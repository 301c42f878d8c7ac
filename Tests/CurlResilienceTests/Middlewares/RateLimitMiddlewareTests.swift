import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RateLimitMiddlewareTests {
    private let stub = StubExchange(statuses: [200])

    @Test("Requests beyond the burst are spaced by the rate")
    func requestsAreSpaced() async throws {
        let clock = ManualClock(isAutomatic: true)
        let middleware = try RateLimitMiddleware(
            requests: 2,
            per: .seconds(1),
            burst: 3,
            clock: clock.resilience()
        )
        for _ in 0..<5 { _ = try await middleware.send(to: stub) }
        #expect(clock.waits == [.milliseconds(500), .seconds(1)])
        // Another origin has its own limit.
        _ = try await middleware.send(.stub(host: "b.example"), to: stub)
        #expect(clock.waits.count == 2 && stub.count == 6)
    }

    @Test("With one limit for all, origins share it")
    func originsShareALimit() async throws {
        let clock = ManualClock(isAutomatic: true)
        let middleware = try RateLimitMiddleware(
            requests: 1,
            per: .seconds(1),
            scope: .all,
            clock: clock.resilience()
        )
        for host in ["a.example", "b.example", "c.example"] {
            _ = try await middleware.send(.stub(host: host), to: stub)
        }
        #expect(clock.elapsed == .seconds(2))
    }

    @Test("A request whose turn comes after its deadline fails at once")
    func lateRequestFailsAtOnce() async throws {
        let clock = ManualClock()
        let middleware = try RateLimitMiddleware(
            requests: 1,
            per: .seconds(10),
            clock: clock.resilience()
        )
        _ = try await middleware.send(to: stub)
        let context = RequestContext(deadline: clock.deadline(after: .seconds(10)))
        let error = try #require(await middleware.failure(context: context, to: stub))
        #expect(error.code == .deadlineExceeded && error.retry == .always)
        // One that waits delays the turn of the next.
        let waiting = Task { await middleware.failure(to: stub) }
        try await clock.begun(1)
        let later = RequestContext(deadline: clock.deadline(after: .seconds(20)))
        #expect(await middleware.failure(context: later, to: stub)?.code == .deadlineExceeded)
        #expect(clock.waits.count == 1 && stub.count == 1)
        clock.advance(by: .seconds(10))
        #expect(await waiting.value == nil)
    }

    @Test("No more requests wait than may")
    func queueIsLimited() async throws {
        let clock = ManualClock()
        for maximum in 0...1 {
            let middleware = try RateLimitMiddleware(
                requests: 1,
                per: .seconds(10),
                maximumQueued: maximum,
                clock: clock.resilience()
            )
            _ = try await middleware.send(to: stub)
            var waiting: [Task<TransportError?, Never>] = []
            for _ in 0..<maximum {
                waiting.append(Task { await middleware.failure(to: stub) })
                try await clock.begun(waiting.count)
            }
            #expect(await middleware.failure(to: stub)?.code == .queueFull)
            clock.advance(by: .seconds(10))
            for task in waiting { #expect(await task.value == nil) }
        }
    }

    @Test("A cancelled request leaves its turn to the next one")
    func cancelledRequestLeavesItsTurn() async throws {
        let clock = ManualClock()
        let middleware = try RateLimitMiddleware(
            requests: 1,
            per: .seconds(10),
            clock: clock.resilience()
        )
        _ = try await middleware.send(to: stub)
        let cancelled = Task { await middleware.failure(to: stub) }
        try await clock.begun(1)
        let next = Task { await middleware.failure(to: stub) }
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        try await clock.begun(2)
        clock.advance(by: .seconds(10))
        #expect(await next.value == nil)
        #expect(stub.count == 2 && clock.elapsed == .seconds(10))
    }

    @Test("Values out of range are refused")
    func invalidValuesAreRefused() {
        for (requests, period, burst, queued) in [
            (0, Duration.seconds(1), 1, 1), (1, .zero, 1, 1), (1, .seconds(1), 0, 1),
            (1, .seconds(1), 1, -1),
        ] {
            let error = #expect(throws: TransportError.self) {
                try RateLimitMiddleware(
                    requests: requests,
                    per: period,
                    burst: burst,
                    maximumQueued: queued
                )
            }
            #expect(error?.code == .configuration)
        }
    }
}
