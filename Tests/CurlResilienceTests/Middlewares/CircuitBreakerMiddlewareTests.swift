import CurlResilience
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CircuitBreakerMiddlewareTests {
    private let clock = ManualClock()
    private let changes = EventRecorder<CircuitBreakerMiddleware.Change>()

    private func middleware(threshold: Int = 3) -> CircuitBreakerMiddleware {
        var policy = CircuitBreakerMiddleware.Policy()
        policy.threshold = threshold
        return CircuitBreakerMiddleware(
            policy,
            changed: { [changes] in changes.record($0) },
            clock: clock.resilience()
        )
    }

    private func change(_ isOpen: Bool) -> String { "https://api.example:443 \(isOpen)" }

    @Test("After failures in a row requests fail at once, without being sent")
    func openBreakerRefusesRequests() async throws {
        let middleware = middleware()
        let stub = StubExchange(statuses: [503])
        for _ in 0..<3 { #expect(try await middleware.send(to: stub).statusCode == 503) }
        let error = try #require(await middleware.failure(to: stub))
        #expect(error.code == .circuitOpen && error.retry == .always && error.phase == .queued)
        #expect(error.message.contains("https://api.example:443"))
        #expect(error.message.contains("5.0 seconds"))
        #expect(stub.count == 3)
        #expect(changes.events.map { "\($0.origin) \($0.isOpen)" } == [change(true)])
        // Other origins have breakers of their own.
        let other = HTTPRequest.stub(host: "b.example")
        #expect(try await middleware.send(other, to: stub).statusCode == 503)
    }

    @Test("After the pause one probe is sent, and its success closes the breaker")
    func probeClosesTheBreaker() async throws {
        let middleware = middleware()
        let gate = Gate()
        let stub = StubExchange { number, request throws(TransportError) in
            if number < 3 { return .stub(500, to: request) }
            try await wait(for: gate)
            return .stub(200, to: request)
        }
        for _ in 0..<3 { _ = try await middleware.send(to: stub) }
        clock.advance(by: .seconds(5))
        let probe = Task { try await middleware.send(to: stub).statusCode }
        try await stub.received(4)
        for _ in 0..<5 { #expect(await middleware.failure(to: stub)?.code == .circuitOpen) }
        gate.open()
        #expect(try await probe.value == 200)
        #expect(try await middleware.send(to: stub).statusCode == 200)
        #expect(stub.count == 5)
        let expected = [change(true), change(false)]
        #expect(changes.events.map { "\($0.origin) \($0.isOpen)" } == expected)
    }

    @Test("A failed probe doubles the pause, up to the maximum")
    func failedProbeDoublesThePause() async throws {
        let middleware = middleware(threshold: 1)
        let stub = StubExchange { _, _ throws(TransportError) in throw .refused }
        for pause in [5, 10, 20, 40, 60, 60] {
            #expect(await middleware.failure(to: stub) == .refused)
            clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(await middleware.failure(to: stub)?.code == .circuitOpen)
            clock.advance(by: .milliseconds(1))
        }
        #expect(stub.count == 6 && changes.events.count == 1)
    }

    @Test("A cancelled probe leaves its place to the next request")
    func cancelledProbeIsReplaced() async throws {
        let middleware = middleware(threshold: 1)
        let gate = Gate()
        let stub = StubExchange { number, request throws(TransportError) in
            if number == 0 { throw .lost }
            if number == 1 { try await wait(for: gate) }
            return .stub(200, to: request)
        }
        _ = await middleware.failure(to: stub)
        clock.advance(by: .seconds(5))
        let probe = Task { await middleware.failure(to: stub)?.code }
        try await stub.received(2)
        probe.cancel()
        #expect(await probe.value == .cancelled)
        #expect(try await middleware.send(to: stub).statusCode == 200)
    }

    @Test("Client errors, refusals of this process and cancellations don't open the breaker")
    func otherResultsDoNotOpenTheBreaker() async throws {
        let middleware = middleware(threshold: 1)
        let errors = [
            TransportError(.queueFull, phase: .queued, message: ""),
            TransportError(.poolTimeout, phase: .queued, message: ""),
            TransportError(.deadlineExceeded, phase: .queued, message: ""),
            TransportError(.cancelled, phase: .waiting, message: ""),
            TransportError(.certificateExpired, phase: .tls, message: ""),
            TransportError(.unanswered, phase: .waiting, message: ""),
        ]
        for error in errors {
            let stub = StubExchange { _, _ throws(TransportError) in throw error }
            for _ in 0..<2 { #expect(await middleware.failure(to: stub) == error) }
        }
        for status in [400, 404, 429, 501] {
            let stub = StubExchange(statuses: [status])
            for _ in 0..<2 { #expect(try await middleware.send(to: stub).statusCode == status) }
        }
        #expect(changes.events.isEmpty)
    }

    @Test("Through a client, a server that refuses connections gets no more of them")
    func refusedConnectionsOpenTheBreaker() async throws {
        let port = try LoopbackServer.unusedPort()
        let client = try HTTPClient(middleware: [middleware()])
        var codes: [TransportError.Code] = []
        for _ in 0..<5 {
            do throws(TransportError) {
                _ = try await client.send(try HTTPRequest(url: "http://127.0.0.1:\(port)/"))
            } catch {
                codes.append(error.code)
            }
        }
        let refused = TransportError.Code.connectRefused
        #expect(codes == [refused, refused, refused, .circuitOpen, .circuitOpen])
        await client.shutdown()
    }
}
