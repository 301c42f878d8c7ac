import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The scheduling of a body that is fetched in several concurrent pieces.
@Suite struct RunStateSegmentTests {
    private let start = MonotonicTime(nanoseconds: 0)
    private let store: PartialStore
    private let group: SegmentGroup

    init() throws {
        store = try PartialStore()
        let claim = try #require(store.parts(segments: 3).claim(PartialStore.url))
        group = SegmentGroup(
            SegmentedFile(
                claim,
                PartialStore.record(),
                [0..<30, 30..<60, 60..<100],
                store.placement()
            )
        )
    }

    private func job(_ url: String = PartialStore.url) throws -> FetchJob {
        FetchJob(target: try FetchTarget(url), line: 1, waitingSince: start)
    }

    /// A state in which the URL's own request is in flight and has been split.
    private func splitState(_ configuration: BatchConfiguration) throws -> (RunState, FetchJob) {
        var state = RunState(configuration)
        state.add(try job())
        state.add(try job("http://a.example/other"))
        let main = try #require(state.start(upTo: 1, at: start).first)
        state.endInput(nil)
        state.split(main, group)
        return (state, main)
    }

    private func endMain(_ main: FetchJob, _ state: inout RunState) {
        state.release(main, at: start)
        let end = SegmentGroup.MainEnd(job: main, outcome: .success, queued: .zero)
        state.segments.mainEnded(group.file, end)
    }

    @Test func piecesStartBeforeTheHostsOtherURLs() throws {
        var (state, _) = try splitState(BatchConfiguration())
        let jobs = state.start(upTo: 9, at: start)
        #expect(jobs.map(\.segment?.range) == [30..<60, 60..<100, nil])
        #expect(jobs.prefix(2).allSatisfy { $0.attempts == 1 }, "they belong to the attempt")
        #expect(state.progress.retries == 0)
    }

    @Test func piecesCountTowardsTheLimitOfTheHost() throws {
        var (state, main) = try splitState(BatchConfiguration(concurrencyPerHost: 2))
        #expect(state.start(upTo: 9, at: start).map(\.segment?.range) == [30..<60])
        #expect(state.start(upTo: 9, at: start).isEmpty)
        endMain(main, &state)
        #expect(state.start(upTo: 9, at: start).map(\.segment?.range) == [60..<100])
    }

    @Test func bodyEndsWithItsLastPieceInAnyOrder() throws {
        var (state, main) = try splitState(BatchConfiguration())
        let pieces = state.start(upTo: 2, at: start)
        state.release(pieces[1], at: start)
        state.segments.pieceEnded(group, .success)
        endMain(main, &state)
        #expect(state.segments.takeEnded().isEmpty)
        state.release(pieces[0], at: start)
        state.segments.pieceEnded(group, .success)
        #expect(state.segments.takeEnded().map(ObjectIdentifier.init) == [ObjectIdentifier(group)])
        #expect(state.segments.takeEnded().isEmpty, "it is settled once")
    }

    @Test func runWaitsUntilTheBodyIsSettled() throws {
        var (state, main) = try splitState(BatchConfiguration())
        // Queued pieces end with the stop; the other URL is dropped.
        state.stop()
        #expect(state.segments.takeEnded().isEmpty)
        endMain(main, &state)
        #expect(state.segments.takeEnded().count == 1)
        #expect(!state.isFinished && !state.hasResults)
        let result = BatchResult(url: main.target.url, line: 1)
        state.ended(
            EndedAttempt(of: main, result: result, decision: .giveUp, isReleased: true),
            at: start
        )
        #expect(state.isFinished && state.progress.inFlight == 0)
        #expect(state.takeResults().map(\.url) == [PartialStore.url], "one result for all pieces")
    }

    @Test func stoppedRunStartsNoPieces() throws {
        var state = RunState(BatchConfiguration())
        state.add(try job())
        let main = try #require(state.start(upTo: 1, at: start).first)
        state.stop()
        state.split(main, group)
        #expect(state.waitingCount == 0 && state.start(upTo: 9, at: start).isEmpty)
        endMain(main, &state)
        #expect(state.segments.takeEnded().count == 1)
        let settled = try #require(group.settle())
        #expect(settled.outcome.failure?.reason.code == .cancelled)
    }

    @Test func firstFailureAndPauseOfThePiecesCount() throws {
        var first = AttemptOutcome.status(503, retryAfter: "7")
        first.transferredBytes = 5
        var second = AttemptOutcome.status(500, retryAfter: "9")
        second.transferredBytes = 6
        #expect(!group.pieceEnded(first))
        #expect(!group.pieceEnded(second))
        let main = SegmentGroup.MainEnd(job: try job(), outcome: .success, queued: .zero)
        #expect(group.mainEnded(main))
        let settled = try #require(group.settle())
        #expect(settled.outcome.failure?.reason.message == "the server answered 503")
        #expect(settled.outcome.retryAfter == "7")
        #expect(settled.outcome.transferredBytes == 11)
        #expect(settled.job.isInOnePiece, "the next attempt is more careful")
    }
}
