import CurlTransport
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The minimum speed of bodies.
@Suite(.timeLimit(.minutes(10))) struct SpeedMeterTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    private func meter(_ speed: Int64, window: Int = 10) -> SpeedMeter {
        let minimum = MinimumSpeed(bytesPerSecond: speed, window: .seconds(window))
        return SpeedMeter(minimum, at: start)
    }

    @Test("A body is too slow if a whole window brings too few bytes")
    func slowBodyFailsAtTheEndOfAWindow() {
        var meter = meter(100)
        meter.add(999)
        #expect(meter.check(at: later(9)) == nil)
        let failure = meter.check(at: later(10))
        #expect(failure?.code == .timeout)
        #expect(
            failure?.message
                == "the body arrived too slowly: 999 bytes in 10.00 s, while the minimum speed is 100 "
                + "bytes a second"
        )
    }

    @Test("Each window counts for itself, so that a fast beginning is no excuse")
    func windowsCountForThemselves() {
        var meter = meter(100)
        meter.add(1_000_000)
        #expect(meter.check(at: later(10)) == nil)
        meter.add(1000)
        #expect(meter.check(at: later(20)) == nil)
        meter.add(10)
        #expect(meter.check(at: later(29)) == nil && meter.check(at: later(30)) != nil)
    }

    @Test("Time in which the client pauses the body doesn't count")
    func pausesDoNotCount() {
        var meter = meter(100)
        meter.add(500)
        meter.pause(at: later(5))
        #expect(meter.check(at: later(1000)) == nil)
        meter.resume(at: later(1000))
        meter.resume(at: later(1001))
        meter.add(500)
        #expect(meter.check(at: later(1004)) == nil)
        #expect(meter.check(at: later(1005)) == nil, "1,000 bytes in ten seconds")
        #expect(meter.check(at: later(1015)) != nil)
    }

    /// The server sends one byte every 50 ms, without an end.
    private func tarpit(_ status: String = "200 OK", fields: String = "") throws -> LoopbackServer {
        let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: 1000000\r\n\r\n"
        let drops = (0..<2000).flatMap { _ in [Step.send("x"), .after(.milliseconds(50))] }
        return try LoopbackServer { request in
            request.target == "/quick" ? .text("quick") : .steps([.send(head)] + drops)
        }
    }

    private func slowConfiguration() -> BatchConfiguration {
        var configuration = BatchConfiguration(
            retry: BatchRetryPolicy(limit: 1, baseDelay: .milliseconds(1))
        )
        configuration.timeouts.minimumSpeed = MinimumSpeed(
            bytesPerSecond: 1000,
            window: .seconds(1)
        )
        return configuration
    }

    @Test("A server that sends a byte now and then loses its place, and the URL is retried")
    func tarpitIsLeft() async throws {
        let server = try tarpit()
        let run = try Batch(slowConfiguration()).start(
            .urls(["\(server.url)/slow", "\(server.url)/quick"])
        )
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        let slow = try #require(results.first { !$0.isFetched })
        #expect(results.count == 2)
        #expect(slow.failure?.code == .timeout && slow.attempts == 2)
        #expect(slow.failure?.message.hasPrefix("the body arrived too slowly: ") == true)
        #expect(slow.status == 200 && slow.bytes > 0)
    }

    @Test("The slow body of a redirect doesn't keep the client from following it")
    func slowRedirectIsFollowed() async throws {
        let server = try tarpit("302 Found", fields: "Location: /quick\r\n")
        let run = try Batch(slowConfiguration()).start(.urls(["\(server.url)/slow"]))
        let results = await run.reduce(into: [BatchResult]()) { $0.append($1) }
        #expect(results.map(\.isFetched) == [true] && results[0].attempts == 1)
    }

    @Test("A body that the bandwidth limit pauses isn't too slow")
    func bandwidthLimitIsNoSlowness() async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([0], times: 240_000)) }
        var configuration = slowConfiguration()
        configuration.retry = .never
        configuration.limits.bandwidth = 20_000
        // Faster than the limit of the bandwidth allows. A busy machine sends nothing for a second now and then: the
        // window is longer, and the body, of twelve seconds, longer still.
        configuration.timeouts.minimumSpeed = MinimumSpeed(
            bytesPerSecond: 40_000,
            window: .seconds(8)
        )
        let run = try Batch(configuration).start(.urls(["\(server.url)/"]))
        let results = await run.reduce(into: [BatchResult]()) { $0.append($1) }
        #expect(results.map(\.isFetched) == [true], "\(results.map(\.failure))")
    }

    /// A transfer that is cancelled without an effect.
    private final class NoFlow: CancellableFlow {
        func resumeReceiving() {}

        func cancel() {}
    }

    @Test(
        "A piece whose last byte arrives while it is cancelled as too slow is complete",
        arguments: [(Int64(0), true), (Int64(1), false)]
    )
    func lastByteCountsMoreThanSlowness(left: Int64, isComplete: Bool) throws {
        var state = FetchAttempt.State(try HTTPRequest(url: "http://a/"), url: nil)
        let body = MeasuredBody(meter(100), NoFlow())
        state.speed = body
        state.wanted = left
        state.outcome.status = 206
        body.check(at: later(10))
        let cancelled = TransportError.cancelled
        _ = state.takeSpeed(endingWith: cancelled)
        _ = state.end(with: cancelled, of: nil)
        #expect((state.outcome.failure == nil) == isComplete)
    }
}
