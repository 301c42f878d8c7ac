import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The time limit of a run.
@Suite(.timeLimit(.minutes(10))) struct RunClockTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    private func clock(_ time: Duration?, grace: Duration = .seconds(10)) -> RunClock {
        var limits = BatchLimits()
        limits.maximumTime = time
        limits.grace = grace
        return RunClock(limits, from: start)
    }

    @Test("A run stops at its maximum time, and cancels what is in flight after the grace")
    func runStopsAndThenCancels() {
        var clock = clock(.seconds(60))
        #expect(clock.next == later(60))
        #expect(clock.action(at: later(59)) == .none)
        #expect(clock.action(at: later(61)) == .stop)
        #expect(clock.next == later(71))
        #expect(clock.action(at: later(70)) == .none)
        #expect(clock.action(at: later(71)) == .cancel)
        #expect(clock.next == nil && clock.action(at: later(99)) == .none)
    }

    @Test("Without a maximum time nothing is due")
    func runWithoutALimitHasNoAction() {
        var clock = clock(nil)
        #expect(clock.next == nil && clock.action(at: later(1_000_000)) == .none)
    }

    @Test("Without grace the run cancels at once", arguments: [Duration.zero, .seconds(-1)])
    func runWithoutGraceCancelsAtOnce(grace: Duration) {
        var clock = clock(.seconds(1), grace: grace)
        #expect(clock.action(at: later(1)) == .stop)
        #expect(clock.next == later(1) && clock.action(at: later(1)) == .cancel)
    }

    @Test("A run that reaches its maximum time says so, and has a result for each URL in flight")
    func runEndsAtItsMaximumTime() async throws {
        let server = try LoopbackServer { _ in .text("never").after(Gate()) }
        var configuration = BatchConfiguration(concurrency: 3)
        configuration.limits.maximumTime = .seconds(1)
        configuration.limits.grace = .milliseconds(50)
        let run = try Batch(configuration).start(.urls((0..<50).map { "\(server.url)/\($0)" }))
        var codes: [BatchFailure.Code?] = []
        for await result in run { codes.append(result.failure?.code) }
        #expect(codes == [.cancelled, .cancelled, .cancelled])
        #expect(run.stopFailure?.code == .timeReached)
        #expect(run.stopFailure?.message == "the run reached its time limit of 1.00 s")
    }

    @Test("A run that ends before its maximum time has reached no limit")
    func quickRunReachesNoLimit() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var configuration = BatchConfiguration()
        configuration.limits.maximumTime = .seconds(600)
        let run = try Batch(configuration).start(.urls(["\(server.url)/"]))
        #expect(await run.reduce(0) { sum, result in sum + (result.isFetched ? 1 : 0) } == 1)
        #expect(run.stopFailure == nil)
    }
}
