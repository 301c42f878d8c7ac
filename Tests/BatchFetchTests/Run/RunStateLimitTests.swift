import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// What delays a start, and what fails a queued URL.
@Suite struct RunStateLimitTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ time: Duration) -> MonotonicTime { start.advanced(by: time) }

    private func job(_ url: String, priority: Int = 0, body: Int = 0) throws -> FetchJob {
        var request = BatchRequest(url: url)
        request.priority = priority
        if body > 0 { request.body = .bytes([UInt8](repeating: 0, count: body)) }
        return FetchJob(target: try FetchTarget(request), line: 1, waitingSince: start)
    }

    private func end(
        _ job: FetchJob,
        _ state: inout RunState,
        _ decision: RetryDecision = .giveUp,
        _ feedback: HostFeedback = .neutral,
        failing failure: BatchFailure? = nil,
        at now: MonotonicTime? = nil
    ) {
        let result = job.failed(failure ?? BatchFailure(.status, "the server answered 503"))
        state.ended(
            EndedAttempt(of: job, result: result, decision: decision, feedback: feedback),
            at: now ?? start
        )
    }

    @Test func priorityGoesBeforeOtherURLsOfTheHost() throws {
        var state = RunState(BatchConfiguration(concurrency: 1))
        for url in ["http://a/1", "http://a/2"] { state.add(try job(url)) }
        state.add(try job("http://a/first", priority: 1))
        state.add(try job("http://a/last", priority: -1))
        var order: [String] = []
        while let next = state.start(upTo: 1, at: start).first {
            order.append(next.target.url)
            end(next, &state)
        }
        #expect(order == ["http://a/first", "http://a/1", "http://a/2", "http://a/last"])
    }

    @Test func rateOfTheRunDelaysStartsAtOtherHostsToo() throws {
        var configuration = BatchConfiguration()
        configuration.limits.rate = RequestRate("2/s")
        var state = RunState(configuration)
        for host in ["a", "b", "c"] { state.add(try job("http://\(host)/")) }
        #expect(state.start(upTo: 9, at: start).count == 1)
        #expect(state.nextDeadline == later(.milliseconds(500)))
        #expect(state.start(upTo: 9, at: later(.milliseconds(499))).isEmpty)
        #expect(state.start(upTo: 9, at: later(.milliseconds(500))).count == 1)
        #expect(state.nextDeadline == later(.seconds(1)))
    }

    @Test func unreadResultsStopFurtherStarts() throws {
        let configuration = BatchConfiguration(concurrency: 2, output: .memory(limit: 1))
        var state = RunState(configuration)
        for number in 0..<8 { state.add(try job("http://h\(number)/")) }
        for _ in 0..<2 {
            let jobs = state.start(upTo: 9, at: start)
            #expect(jobs.count == 2)
            for job in jobs { end(job, &state) }
        }
        #expect(state.start(upTo: 9, at: start).isEmpty && !state.hasRoom)
        #expect(state.takeResults().count == 4)
        #expect(!state.hasResults && state.takeResults().isEmpty)
        #expect(state.start(upTo: 9, at: start).count == 2 && state.hasRoom)
    }

    @Test func contentInMemoryKeepsTheReaderWaiting() throws {
        var state = RunState(BatchConfiguration(concurrency: 1))
        let half = RunState.maximumHeldBytes / 2
        state.add(try job("http://a/", body: half))
        #expect(state.hasRoom)
        state.add(try job("http://b/", body: half))
        #expect(!state.hasRoom)
        let sent = try #require(state.start(upTo: 1, at: start).first)
        #expect(!state.hasRoom, "it may have to be sent again")
        end(sent, &state)
        #expect(state.hasRoom && state.heldBytes == half)
    }

    @Test func retryBeyondTheBudgetFailsWithTheReason() throws {
        var configuration = BatchConfiguration()
        configuration.retry.budgetShare = 0
        configuration.retry.budgetReserve = 1
        var state = RunState(configuration)
        for host in ["a", "b", "c"] { state.add(try job("http://\(host)/")) }
        let jobs = state.start(upTo: 9, at: start)
        end(jobs[0], &state, .retry(after: .seconds(1), holdsHost: false))
        #expect(!state.hasResults)
        end(jobs[1], &state, .retry(after: .seconds(1), holdsHost: false))
        let failed = try #require(state.takeResults().first)
        #expect(failed.url == "http://b/")
        #expect(
            failed.failure?.message
                == "the server answered 503; not retried: the retry budget is used up"
        )
        // A pause that the server asked for is free.
        end(jobs[2], &state, .retry(after: .seconds(1), holdsHost: true))
        #expect(!state.hasResults)
        #expect(state.start(upTo: 9, at: later(.seconds(1))).map(\.attempts) == [2, 2])
        #expect(state.progress.retries == 2)
    }

    @Test func queuedURLsOfAFailingHostFailWithItsLastFailure() throws {
        var configuration = BatchConfiguration(concurrency: 1)
        configuration.politeness.breaker = BreakerPolicy(
            threshold: 1,
            pause: .seconds(5),
            rounds: 1
        )
        var state = RunState(configuration)
        for path in 1...3 { state.add(try job("http://a/\(path)")) }
        let first = try #require(state.start(upTo: 1, at: start).first)
        var refused = BatchFailure(.transport, "connection refused")
        refused.curlCode = 7
        end(first, &state, .giveUp, .failing, failing: refused)
        let results = state.takeResults()
        let givenUp = results.filter { $0.failure?.code == .hostUnavailable }
        #expect(results.count == 3 && givenUp.map(\.url) == ["http://a/2", "http://a/3"])
        #expect(
            givenUp.first?.failure?.message
                == "a:80 is paused after repeated failures; the last failure: connection refused"
        )
        #expect(givenUp.first?.failure?.curlCode == 7)
        // So does one that arrives during the pause; after it the host gets another chance.
        state.add(try job("http://a/4"), at: later(.seconds(4)))
        #expect(state.takeResults().map(\.failure?.code) == [.hostUnavailable])
        state.add(try job("http://a/5"), at: later(.seconds(5)))
        #expect(state.start(upTo: 1, at: later(.seconds(5))).map(\.target.url) == ["http://a/5"])
    }

    @Test func queuedURLsFailOnceTheRobotsFileDisallowsThem() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        var state = RunState(configuration)
        for path in ["x", "private/1", "y"] { state.add(try job("http://a/\(path)")) }
        let robots = try #require(state.start(upTo: 9, at: start).first)
        #expect(robots.isRobots)
        let file = RobotsFile(Array("User-agent: *\nDisallow: /private\n".utf8), token: "x")
        state.endedRobots(robots, .file(file), decision: .giveUp, at: start)
        let refused = try #require(state.takeResults().first)
        #expect(refused.url == "http://a/private/1" && refused.failure?.code == .robots)
        #expect(refused.attempts == 0)
        let next = state.start(upTo: 9, at: start).map(\.target.url)
        #expect(next == ["http://a/x", "http://a/y"])
    }

    @Test func longCrawlDelayIsCapped() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        configuration.politeness.maximumCrawlDelay = .seconds(2)
        var state = RunState(configuration)
        for path in ["1", "2"] { state.add(try job("http://a/\(path)")) }
        let robots = try #require(state.start(upTo: 9, at: start).first)
        let file = RobotsFile(Array("User-agent: *\nCrawl-delay: 3600\n".utf8), token: "x")
        state.endedRobots(robots, .file(file), decision: .giveUp, at: start)
        #expect(state.start(upTo: 9, at: start).count == 1)
        #expect(state.nextDeadline == later(.seconds(2)))
        #expect(state.start(upTo: 9, at: later(.seconds(2))).count == 1)
    }

    @Test func firstOutputFailureIsReported() {
        var state = RunState(BatchConfiguration())
        state.failOutput(BatchFailure(.output, "the disk is full"))
        state.failOutput(BatchFailure(.output, "the archive can't be closed"))
        #expect(state.outputFailure?.message == "the disk is full")
    }
}
