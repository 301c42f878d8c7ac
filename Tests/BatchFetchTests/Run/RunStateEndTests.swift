import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// When a run is finished, and what a stop does to URLs that haven't ended.
@Suite struct RunStateEndTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func job(_ url: String) throws -> FetchJob {
        FetchJob(target: try FetchTarget(url), line: 1, waitingSince: start)
    }

    private func end(
        _ job: FetchJob,
        _ state: inout RunState,
        _ decision: RetryDecision = .giveUp
    ) {
        let result = BatchResult(url: job.target.url, line: job.line)
        state.ended(EndedAttempt(of: job, result: result, decision: decision), at: start)
    }

    @Test func runEndsOnceTheListIsReadAndNothingIsLeft() throws {
        var state = RunState(BatchConfiguration())
        #expect(!state.isFinished, "the list hasn't been read")
        state.add(try job("http://a/"))
        let first = try #require(state.start(upTo: 9, at: start).first)
        state.endInput(nil)
        #expect(!state.isFinished)
        end(first, &state, .retry(after: .seconds(1), holdsHost: false))
        #expect(!state.isFinished && state.hasMore, "a retry is pending")
        let again = try #require(
            state.start(upTo: 9, at: start.advanced(by: .seconds(1))).first
        )
        end(again, &state)
        #expect(state.isFinished && !state.hasMore)
    }

    @Test func failureOfTheListDoesNotEndQueuedURLs() throws {
        var state = RunState(BatchConfiguration())
        state.add(try job("http://a/"))
        state.endInput(BatchFailure(.input, "the list is damaged"))
        #expect(state.inputFailure?.code == .input)
        #expect(!state.isStopping && state.start(upTo: 9, at: start).count == 1)
    }

    /// They are fetched by a resumed run, so they must not have a result.
    @Test func stoppedRunDropsPendingRetriesWithoutAResult() throws {
        var state = RunState(BatchConfiguration())
        state.add(try job("http://a/"))
        let first = try #require(state.start(upTo: 9, at: start).first)
        end(first, &state, .retry(after: .seconds(1), holdsHost: true))
        state.endInput(nil)
        state.stop()
        #expect(state.isFinished && !state.hasResults && state.nextDeadline == nil)
        #expect(state.start(upTo: 9, at: start.advanced(by: .seconds(2))).isEmpty)
        #expect(state.progress.waiting == 0 && state.progress.expected == 1)
    }

    /// Its end would be due all the time, because no start follows.
    @Test func pauseThatBeginsAfterAStopIsNoDeadline() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.breaker = BreakerPolicy(threshold: 1)
        var state = RunState(configuration)
        for number in 0..<2 { state.add(try job("http://a/\(number)")) }
        let jobs = state.start(upTo: 9, at: start)
        #expect(jobs.count == 2)
        state.endInput(nil)
        state.stop()
        let result = jobs[0].failed(BatchFailure(.transport, "refused"))
        state.ended(
            EndedAttempt(of: jobs[0], result: result, decision: .giveUp, feedback: .failing),
            at: start
        )
        #expect(!state.isFinished && state.nextDeadline == nil)
        end(jobs[1], &state)
        #expect(state.isFinished)
    }

    @Test func stoppedRunTakesNoFurtherLines() throws {
        var state = RunState(BatchConfiguration())
        state.stop()
        var malformed = BatchResult(url: "nonsense", line: 1)
        malformed.failure = BatchFailure(.invalidURL, "no scheme")
        state.addDone(malformed)
        state.add(try job("http://a/"))
        #expect(!state.hasResults && state.waitingCount == 0 && state.progress.done == 0)
    }

    @Test func redirectIsInterruptedByAStop() throws {
        var state = RunState(BatchConfiguration())
        state.add(try job("http://a/"))
        let first = try #require(state.start(upTo: 9, at: start).first)
        state.stop()
        state.redirected(first, to: first.continuing, feedback: .neutral, at: start)
        state.endInput(nil)
        let result = try #require(state.takeResults().first)
        #expect(result.failure?.code == .cancelled && result.attempts == 1)
        #expect(
            result.failure?.message == "the run ended while this URL was in flight"
        )
        #expect(state.isFinished)
    }

    @Test func redirectContinuesTheSameAttempt() throws {
        var state = RunState(BatchConfiguration(concurrency: 1))
        state.add(try job("http://a/1"))
        state.add(try job("http://a/2"))
        let first = try #require(state.start(upTo: 9, at: start).first)
        state.redirected(first, to: first.continuing, feedback: .neutral, at: start)
        let next = try #require(state.start(upTo: 9, at: start).first)
        #expect(next.target.url == "http://a/1", "before URLs that haven't started")
        #expect(next.attempts == 1 && state.progress.retries == 0)
    }

    @Test func robotsRequestInFlightDoesNotHoldUpAStoppedRun() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        var state = RunState(configuration)
        state.add(try job("http://a/"))
        let robots = try #require(state.start(upTo: 9, at: start).first)
        state.endInput(nil)
        #expect(!state.isFinished)
        state.stop()
        #expect(state.isFinished)
        // Its late end starts nothing and counts only once.
        state.endedRobots(robots, .unavailable("x"), decision: .giveUp, at: start)
        #expect(state.isFinished && state.start(upTo: 9, at: start).isEmpty)
        #expect(!state.hasResults && state.progress.inFlight == 0)
    }

    @Test func skippedAndDuplicateLinesAreCountedApart() throws {
        var state = RunState(BatchConfiguration())
        state.skip(3)
        state.skip(2)
        state.skipDuplicates(4)
        state.add(try job("http://a/"))
        state.endInput(nil)
        let progress = state.progress
        #expect(progress.skipped == 5 && progress.duplicates == 4)
        #expect(progress.done == 0 && progress.waiting == 1)
        #expect(progress.expected == 1 && progress.isExpectedExact)
    }

    @Test func totalIsUnknownWhileTheListIsRead() throws {
        var state = RunState(BatchConfiguration())
        state.add(try job("http://a/"))
        #expect(state.progress.expected == nil && !state.progress.isExpectedExact)
    }

    @Test func spilledURLsCountAsWaiting() throws {
        var state = RunState(
            BatchConfiguration(concurrency: 1, concurrencyPerHost: 1, lookAhead: 4)
        )
        for number in 0..<6 { state.add(try job("http://a/\(number)")) }
        _ = state.start(upTo: 1, at: start)
        let excess = state.beginFrontier(folder: "/tmp")
        state.spill(10)
        #expect(state.progress.waiting == 5 + 10 && state.hasMore)
        state.addSpilled(excess, at: start)
        #expect(state.progress.waiting == 5 + 10, "they wait in memory again")
        state.stop()
        state.spill(5)
        #expect(state.progress.waiting == 0 && !state.hasMore)
    }
}
