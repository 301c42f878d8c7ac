import Posix
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch

/// The limits of received bytes, and the pauses of the bandwidth limit.
@Suite(.timeLimit(.minutes(10))) struct TrafficTests {
    private func traffic(body: Int64? = nil, total: Int64? = nil) throws -> Traffic {
        var limits = BatchLimits()
        limits.maximumBodyBytes = body
        limits.maximumTotalBytes = total
        return try Traffic(limits)
    }

    @Test func bodyMayHaveExactlyTheLimit() throws {
        let traffic = try traffic(body: 100)
        #expect(traffic.limitsBodies)
        #expect(traffic.refusal(ofLength: 100) == nil)
        #expect(traffic.add(60, of: 60) == nil && traffic.add(40, of: 100) == nil)
        let refusal = try #require(traffic.add(1, of: 101))
        #expect(refusal.code == .bodyTooLarge)
        #expect(refusal.message == "the body exceeds the limit of 100 bytes")
        #expect(traffic.add(1, of: 101, isLimited: false) == nil, "as for a robots.txt")
        #expect(traffic.received.load(ordering: .relaxed) == 102, "all bytes count")
    }

    /// The URL is fetched again by the next run: the limit says nothing about it.
    @Test func totalLimitLeavesTheURLUnresolved() throws {
        let traffic = try traffic(total: 100)
        #expect(!traffic.limitsBodies)
        #expect(traffic.add(50, of: 50) == nil && traffic.add(50, of: 50) == nil)
        let refusal = try #require(traffic.add(1, of: 1, isLimited: false))
        #expect(refusal.leavesUnresolved)
        #expect(refusal.message == "the run has reached its limit of received bytes")
    }

    @Test func bodyBeyondBothLimitsFailsForItself() throws {
        let traffic = try traffic(body: 100, total: 100)
        #expect(traffic.add(101, of: 101)?.code == .bodyTooLarge)
    }

    @Test func nothingIsLimitedByDefault() throws {
        let traffic = try traffic()
        #expect(traffic.bandwidth == nil && !traffic.limitsBodies)
        #expect(traffic.refusal(ofLength: .max) == nil)
        #expect(traffic.add(.max, of: .max) == nil)
    }

    // MARK: Bandwidth

    @Test func bytesWithinTheShortestPauseContinue() throws {
        let bandwidth = try Bandwidth(bytesPerSecond: 1000)
        defer { bandwidth.end() }
        let now = MonotonicTime.now
        #expect(bandwidth.take(4, of: RecordingFlow(), at: now) == nil)
        #expect(bandwidth.take(4, of: RecordingFlow(), at: now) != nil, "together it is too fast")
    }

    /// Otherwise a burst would follow each break.
    @Test func idleTimeIsNotSaved() throws {
        let bandwidth = try Bandwidth(bytesPerSecond: 1000)
        defer { bandwidth.end() }
        let now = MonotonicTime.now
        #expect(bandwidth.take(1, of: RecordingFlow(), at: now) == nil)
        let later = now.advanced(by: .seconds(3600))
        #expect(bandwidth.take(100, of: RecordingFlow(), at: later) != nil)
    }

    @Test func pausedBodiesAreResumedInTheOrderOfTheirBytes() async throws {
        let bandwidth = try Bandwidth(bytesPerSecond: 1000)
        defer { bandwidth.end() }
        let resumed = EventRecorder<Int>()
        let now = MonotonicTime.now
        for number in 1...3 {
            #expect(bandwidth.take(10, of: RecordingFlow(number, resumed), at: now) != nil)
        }
        #expect(try await resumed.wait(count: 3) == [1, 2, 3])
        #expect(MonotonicTime.now >= now.advanced(by: .milliseconds(30)))
    }

    @Test func endResumesAllBodiesAndPausesNoOther() throws {
        let bandwidth = try Bandwidth(bytesPerSecond: 1)
        let resumed = EventRecorder<Int>()
        for number in 1...3 {
            #expect(bandwidth.take(1_000_000, of: RecordingFlow(number, resumed)) != nil)
        }
        #expect(resumed.events.isEmpty)
        bandwidth.end()
        #expect(resumed.events == [1, 2, 3])
        #expect(bandwidth.take(1_000_000, of: RecordingFlow()) == nil)
    }
}
