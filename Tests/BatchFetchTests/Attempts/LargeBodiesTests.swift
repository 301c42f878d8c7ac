import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The bytes of large bodies in flight.
@Suite(.timeLimit(.minutes(10))) struct LargeBodiesTests {
    private func body(
        _ fields: [String],
        in bodies: LargeBodies,
        keepsEncoding: Bool = false,
        limit: Int64? = nil,
        at now: MonotonicTime = .now
    ) throws -> LargeBody? {
        bodies.body(
            of: try ArchiveSamples.head(fields),
            keepsEncoding: keepsEncoding,
            limit: limit,
            at: now
        )
    }

    @Test("A large body counts from its head until it is released")
    func bodyCountsUntilItIsReleased() throws {
        let bodies = LargeBodies()
        var first = try body(["Content-Length: 2000000"], in: bodies)
        var second = try body(["Content-Length: 3000000"], in: bodies, limit: 1_500_000)
        first?.receive(300_000)
        second?.receive(200_000)
        #expect(bodies.progress.count == 2 && bodies.progress.total == 3_500_000)
        #expect(bodies.progress.received == 500_000 && bodies.progress.remaining == 3_000_000)
        first = nil
        #expect(bodies.progress.count == 1 && bodies.progress.received == 200_000)
        second = nil
        #expect(bodies.progress == LargeBodyProgress())
        #expect(first == nil && second == nil)
    }

    @Test("The longest remaining time is that of the body that is slowest for its length")
    func longestRemainingTimeIsKnown() throws {
        let bodies = LargeBodies()
        let start = MonotonicTime(nanoseconds: 0)
        let now = start.advanced(by: .seconds(10))
        let short = try body(["Content-Length: 4000000"], in: bodies, at: start)
        let long = try body(["Content-Length: 24000000"], in: bodies, at: start)
        let late = try body(["Content-Length: 900000000"], in: bodies, at: now)
        #expect(bodies.progress(at: now).longestRemaining == nil)
        short?.receive(2_000_000)
        #expect(bodies.progress(at: now).longestRemaining == .seconds(10))
        long?.receive(4_000_000)
        #expect(bodies.progress(at: now).longestRemaining == .seconds(50))
        withExtendedLifetime((short, long, late)) {}
    }

    @Test("Short bodies and those of unknown length don't count")
    func otherBodiesDoNotCount() throws {
        let bodies = LargeBodies()
        let encoded = ["Content-Length: 2000000", "Content-Encoding: gzip"]
        for fields in [["Content-Length: 1000"], [], ["Content-Length: x"], encoded] {
            #expect(try body(fields, in: bodies) == nil)
        }
        #expect(bodies.progress.count == 0)
        #expect(try body(encoded, in: bodies, keepsEncoding: true) != nil)
    }

    /// Counts the bytes that it receives.
    private final class CountingSink: BodySink {
        let count = Watched(0)

        func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
            let received = bytes.count
            count.update { $0 += received }
            return .more
        }

        func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
            done(.dropped)
        }
    }

    @Test("An attempt's large body is counted while it is in flight")
    func attemptCountsItsLargeBody() async throws {
        let length = 4 << 20
        let gate = Gate()
        let half = [UInt8](repeating: 1, count: length / 2)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
        let server = try LoopbackServer.scripted { _ in
            [.readHead, Step.send(head + half), .waitFor(gate), Step.send(half), .close]
        }
        let run = try AttemptRun()
        let sink = CountingSink()
        async let outcome = run.outcome("\(server.url)/", sink: sink)
        try await sink.count.wait { $0 >= half.count ? () : nil }
        let progress = run.fetcher.largeBodies
        #expect(progress.count == 1 && progress.total == Int64(length))
        #expect(progress.received == Int64(half.count))
        gate.open()
        let failure = try await outcome.failure
        #expect(failure == nil)
        #expect(run.fetcher.largeBodies == LargeBodyProgress())
    }
}
