import CurlResilience
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite struct RunStateTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int64) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    private func job(_ url: String) throws -> FetchJob {
        FetchJob(target: try FetchTarget(url), line: 1, waitingSince: start)
    }

    private func result(_ job: FetchJob) -> BatchResult {
        BatchResult(url: job.target.url, line: job.line)
    }

    /// Otherwise the timer's thread would spin.
    @Test func dueRetryIsNoDeadlineAtTheConcurrencyLimit() throws {
        var state = RunState(BatchConfiguration(concurrency: 1))
        state.add(try job("http://a/1"))
        state.add(try job("http://b/"))
        let first = try #require(state.start(upTo: 1, at: start).first)
        state.ended(
            EndedAttempt(
                of: first,
                result: result(first),
                decision: .retry(after: .seconds(1), holdsHost: true)
            ),
            at: start
        )
        #expect(state.nextDeadline == later(1))
        #expect(state.start(upTo: 1, at: start).map(\.target.host) == ["b"])
        // The concurrency limit is reached: the retry is due and can't start.
        #expect(state.start(upTo: 1, at: later(2)).isEmpty)
        #expect(state.nextDeadline == nil)
    }

    @Test func startsWaitUntilTheBandwidthAllows() throws {
        var state = RunState(BatchConfiguration(concurrency: 2))
        state.add(try job("http://a/1"))
        #expect(state.start(upTo: 2, at: start, behindUntil: later(3)).isEmpty)
        #expect(state.nextDeadline == later(3))
        #expect(state.start(upTo: 2, at: later(3), behindUntil: later(3)).count == 1)
    }

    private func stateObeyingRobots(delay: Duration) -> RunState {
        var configuration = BatchConfiguration(concurrency: 2)
        configuration.politeness.obeysRobots = true
        configuration.politeness.delay = delay
        return RunState(configuration)
    }

    @Test func retryOfARobotsFileKeepsTheDelay() throws {
        var state = stateObeyingRobots(delay: .seconds(2))
        state.add(try job("http://a/1"))
        let robots = try #require(state.start(upTo: 2, at: start).first)
        #expect(robots.isRobots)
        state.endedRobots(
            robots,
            .unavailable("x"),
            decision: .retry(after: .milliseconds(100), holdsHost: false),
            at: start
        )
        #expect(state.start(upTo: 2, at: later(1)).isEmpty && state.nextDeadline == later(2))
        let again = try #require(state.start(upTo: 2, at: later(2)).first)
        state.endedRobots(again, .file(RobotsFile()), decision: .giveUp, at: later(2))
        #expect(state.start(upTo: 2, at: later(3)).isEmpty && state.nextDeadline == later(4))
        #expect(state.start(upTo: 2, at: later(4)).map(\.isRobots) == [false])
    }

    @Test func robotsFileIsNotCountedAsAURL() throws {
        var state = stateObeyingRobots(delay: .zero)
        state.add(try job("http://a/1"))
        state.endInput(nil)
        #expect(state.start(upTo: 2, at: start).map(\.isRobots) == [true])
        #expect(state.progress.inFlight == 0 && state.progress.waiting == 1)
        #expect(state.progress.expected == 1)
        state.stop()
        #expect(state.isFinished)
    }

    @Test func attemptContinuesOnceAfterAnUnansweredRequest() throws {
        let unanswered = AttemptOutcome.failing(
            .unanswered,
            .transfer(isTransient: true, mayHaveReachedServer: true)
        )
        #expect(HostFeedback(unanswered) == .neutral)
        let first = try job("http://a/1")
        let next = try #require(first.retryingUnanswered(after: unanswered, always: false))
        #expect(
            next.isContinuing && next.retryingUnanswered(after: unanswered, always: false) == nil
        )
        var request = BatchRequest(url: "http://a/")
        request.method = .post
        let post = FetchJob(target: try FetchTarget(request), line: 1, waitingSince: start)
        #expect(post.retryingUnanswered(after: unanswered, always: false) == nil)
        #expect(post.retryingUnanswered(after: unanswered, always: true) != nil)
        // A robots.txt is counted separately, and the transport retries it.
        let robots = FetchJob(robotsFor: first, at: start)
        #expect(robots.retryingUnanswered(after: unanswered, always: true) == nil)
        // The next attempt may be repeated once more.
        var state = RunState(BatchConfiguration())
        var again = next
        again.isContinuing = false
        state.add(again)
        #expect(state.start(upTo: 1, at: start).map(\.wasUnanswered) == [false])
    }

    @Test(
        arguments: [("5", .overloaded), ("0", .failing), (nil, .failing)]
            as [(String?, HostFeedback)]
    )
    func busyStatusWithoutRetryAfterIsAFailure(retryAfter: String?, feedback: HostFeedback) {
        var outcome = AttemptOutcome.failing(.status, .status(503))
        outcome.retryAfter = retryAfter
        #expect(HostFeedback(outcome, requestsPause: retryAfter == "5") == feedback)
    }

    @Test(arguments: [false, true])
    func stoppedRunKnowsTheTotalIfTheListWasRead(isRead: Bool) throws {
        var state = RunState(BatchConfiguration(concurrency: 2))
        for number in 0..<10 { state.add(try job("http://h\(number)/")) }
        let jobs = state.start(upTo: 64, at: start)
        if isRead { state.endInput(nil) }
        state.stop()
        state.endInput(nil)
        #expect(state.progress.expected == (isRead ? 10 : nil))
        #expect(state.progress.isExpectedExact == isRead)
        for job in jobs {
            let end = EndedAttempt(of: job, result: result(job), decision: .giveUp)
            state.ended(end, at: start)
        }
        #expect(state.progress.expected == (isRead ? 10 : nil) && state.progress.done == 2)
    }

    @Test func stoppedRunDropsQueuedJobsAndWaitsForOthers() throws {
        var state = RunState(BatchConfiguration(concurrency: 2))
        for number in 0..<10 { state.add(try job("http://h\(number)/")) }
        let jobs = state.start(upTo: 64, at: start)
        #expect(jobs.count == 2)
        state.stop()
        state.add(try job("http://late/"))
        state.endInput(nil)
        #expect(!state.isFinished)
        state.ended(
            EndedAttempt(
                of: jobs[0],
                result: result(jobs[0]),
                decision: .retry(after: .zero, holdsHost: true)
            ),
            at: start
        )
        state.ended(
            EndedAttempt(of: jobs[1], result: result(jobs[1]), decision: .giveUp),
            at: start
        )
        #expect(state.isFinished)
        #expect(state.nextDeadline == nil)
        let results = state.takeResults()
        #expect(results.count == 2)
        // The first one would have been retried; it is left for a resumed run.
        #expect(results.first?.failure?.code == .cancelled)
        #expect(results.last?.failure?.code != .cancelled)
    }

    @Test func queueFilledByFewHostsIsStarving() throws {
        var state = RunState(
            BatchConfiguration(concurrency: 2, concurrencyPerHost: 1, lookAhead: 3)
        )
        for number in 0..<6 { state.add(try job("http://a/\(number)")) }
        #expect(!state.isStarving(since: start), "something can be started")
        #expect(state.start(upTo: 64, at: start).count == 1)
        #expect(state.isStarving(since: start))
        state.add(try job("http://b/"))
        #expect(state.start(upTo: 64, at: later(1)).count == 1)
        #expect(!state.isStarving(since: later(9)), "no more may be in flight")
        // The queue keeps two: twice the host's limit of one.
        let excess = state.beginFrontier(folder: "/tmp")
        #expect(excess.map(\.target.url) == (3..<6).map { "http://a/\($0)" })
        #expect(state.progress.waiting == 5)
        #expect(state.hasRoom)
        let called = state.waitForFrontierCall(orRoom: false)
        #expect(called)
        state.stop()
        state.spill(1)
        #expect(state.progress.waiting == 0)
    }

    /// On disk they would lose their mirror, and wait for the host that has failed.
    @Test("Queued jobs that use a mirror aren't moved to disk")
    func mirrorsStayInMemory() throws {
        var state = RunState(BatchConfiguration(concurrencyPerHost: 1))
        for number in 0..<6 {
            var request = BatchRequest(url: "http://a/\(number)")
            request.mirrors = ["http://b/\(number)"]
            let target = try FetchTarget(request)
            let job = FetchJob(target: target, line: 1, waitingSince: start)
            // Without an attempt, as of a host that is given up.
            let failure = BatchFailure(.hostUnavailable, "a is paused")
            let next = try #require(job.usingNextMirror(after: job.failed(failure)))
            state.enqueue(next, at: start)
        }
        for number in 0..<6 { state.add(try job("http://c/\(number)")) }
        let excess = state.beginFrontier(folder: "/tmp")
        #expect(excess.map(\.target.url) == (2..<6).map { "http://c/\($0)" })
        #expect(state.start(upTo: 64, at: start).map(\.place.host).sorted() == ["b", "c"])
    }

    /// For any order of events: one result per job, and never more jobs in flight than the limit.
    @Test(arguments: 0..<20)
    func randomEventsGiveOneResultPerJob(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var state = RunState(
            BatchConfiguration(concurrency: 5, concurrencyPerHost: 2, output: .memory(limit: 1))
        )
        var now = start
        var running: [FetchJob] = []
        var added = 0
        var finished = 0
        while finished < 500 {
            now = now.advanced(by: .milliseconds(5))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where added < 500:
                state.add(try job("http://host\(added % 6)/\(added)"))
                added += 1
            case 1, 2:
                running += state.start(
                    upTo: Int.random(in: 1...3, using: &generator),
                    at: now
                )
            case 3,
                4 where !running.isEmpty:
                guard !running.isEmpty else { continue }
                let job = running.remove(
                    at: Int.random(in: 0..<running.count, using: &generator)
                )
                let isRetried = Int.random(in: 0..<3, using: &generator) == 0
                state.ended(
                    EndedAttempt(
                        of: job,
                        result: result(job),
                        decision: isRetried
                            ? .retry(after: .milliseconds(20), holdsHost: seed % 2 == 0) : .giveUp
                    ),
                    at: now
                )
            default:
                finished += state.takeResults().count
            }
            #expect(running.count <= 5)
            #expect(state.progress.inFlight == running.count)
        }
        state.endInput(nil)
        #expect(state.isFinished)
        #expect(state.summary.progress.done == 500)
    }
}
