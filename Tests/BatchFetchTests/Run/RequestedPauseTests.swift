import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Hosts that request pauses with `Retry-After`.
@Suite(.timeLimit(.minutes(10))) struct RequestedPauseTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    private func state(urls: Int, _ breaker: BreakerPolicy?) throws -> RunState {
        var configuration = BatchConfiguration()
        configuration.politeness.breaker = breaker
        var state = RunState(configuration)
        for number in 0..<urls {
            let target = try FetchTarget("http://a/\(number)")
            state.add(FetchJob(target: target, line: number, waitingSince: start))
        }
        return state
    }

    /// Ends an attempt with 429 and a pause of 5 s, or with a success.
    private func end(
        _ job: FetchJob,
        _ state: inout RunState,
        isBusy: Bool = true,
        isRetried: Bool = true,
        at now: MonotonicTime
    ) {
        let busy = job.failed(BatchFailure(.status, "the server answered 429"))
        state.ended(
            EndedAttempt(
                of: job,
                result: isBusy ? busy : BatchResult(url: job.target.url, line: job.line),
                decision: isBusy && isRetried
                    ? .retry(after: .seconds(5), holdsHost: true) : .giveUp,
                feedback: isBusy ? .overloaded : .healthy(.zero),
                pause: isBusy ? .seconds(5) : nil
            ),
            at: now
        )
    }

    @Test(
        "After a requested pause one URL goes first, and the others only after it was answered",
        arguments: [BreakerPolicy(), nil]
    )
    func oneProbeFollowsARequestedPause(breaker: BreakerPolicy?) throws {
        var state = try state(urls: 20, breaker)
        let first = state.start(upTo: 64, at: start)
        #expect(first.count == 6)
        for job in first { end(job, &state, at: start) }
        #expect(state.start(upTo: 64, at: later(4)).isEmpty)
        let probe = state.start(upTo: 64, at: later(5))
        #expect(probe.count == 1)
        end(probe[0], &state, at: later(6))
        let second = state.start(upTo: 64, at: later(11))
        #expect(second.count == 1)
        #expect(state.start(upTo: 64, at: later(12)).isEmpty)
        end(second[0], &state, isBusy: false, at: later(12))
        #expect(state.start(upTo: 64, at: later(12)).count == 6)
    }

    @Test("The progress of a run whose hosts are paused has the time until the next start")
    func progressHasTheEndOfThePause() throws {
        var state = try state(urls: 6, nil)
        #expect(state.progress(at: start).nextStart == nil, "nothing prevents a start")
        let jobs = state.start(upTo: 64, at: start)
        #expect(state.progress(at: start).nextStart == nil)
        for job in jobs { end(job, &state, at: start) }
        #expect(state.progress(at: later(2)).waiting == 6)
        #expect(state.progress(at: later(2)).nextStart == .seconds(3))
        #expect(state.progress(at: later(5)).nextStart == nil)
        state.stop()
        #expect(state.progress(at: later(2)).nextStart == nil)
    }

    @Test("A request that started before the pause doesn't answer for the probe")
    func earlierRequestIsNoAnswerOfTheProbe() throws {
        var state = try state(urls: 20, BreakerPolicy())
        let first = state.start(upTo: 64, at: start)
        end(first[0], &state, at: start)
        let probe = state.start(upTo: 64, at: later(5))
        #expect(probe.count == 1)
        for job in first[1...3] { end(job, &state, isBusy: false, at: later(6)) }
        #expect(state.start(upTo: 64, at: later(6)).isEmpty)
        end(probe[0], &state, isBusy: false, at: later(7))
        #expect(state.start(upTo: 64, at: later(7)).count == 4)
    }

    @Test("A robots.txt that is fetched after a pause leaves the probe to a URL")
    func robotsFileIsNoProbe() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        var state = RunState(configuration)
        for number in 0..<9 {
            let target = try FetchTarget("http://a/\(number)")
            state.add(FetchJob(target: target, line: number, waitingSince: start))
        }
        let robots = try #require(state.start(upTo: 64, at: start).first)
        state.endedRobots(robots, .file(RobotsFile()), decision: .giveUp, at: start)
        for job in state.start(upTo: 64, at: start) { end(job, &state, at: start) }
        // A day later the file is fetched again.
        let day = later(25 * 3600)
        let again = state.start(upTo: 64, at: day)
        #expect(again.map(\.isRobots) == [true])
        state.endedRobots(again[0], .file(RobotsFile()), decision: .giveUp, at: day)
        let probe = state.start(upTo: 64, at: day)
        #expect(probe.map(\.isRobots) == [false])
        end(probe[0], &state, isBusy: false, at: day)
        #expect(state.start(upTo: 64, at: day).count == 6)
    }

    @Test("A retry at a host that was given up fails at once with its last answer")
    func retryAtAGivenUpHostFailsAtOnce() throws {
        var state = try state(urls: 3, BreakerPolicy(waits: 1))
        let first = state.start(upTo: 1, at: start)
        end(first[0], &state, at: start)
        let probe = state.start(upTo: 64, at: later(5))
        #expect(probe.count == 1)
        end(probe[0], &state, at: later(5))
        let failures = state.takeResults().compactMap(\.failure)
        #expect(
            failures.map(\.code.name).sorted() == [
                "host_unavailable", "host_unavailable", "status",
            ]
        )
        #expect(
            failures.contains {
                $0.message
                    == "the server answered 429; not retried: a:80 is paused after repeated failures"
            }
        )
        state.endInput(nil)
        #expect(state.isFinished)
    }

    @Test("A host that always answers 429 with Retry-After is given up, and others are fetched")
    func hostThatOnlyRequestsPausesIsGivenUp() async throws {
        let busy = try LoopbackServer { _ in .status(429).header("Retry-After", "1") }
        let quick = try LoopbackServer { _ in .text("x") }
        var configuration = BatchConfiguration()
        configuration.politeness.breaker = BreakerPolicy(waits: 2)
        let run = try Batch(configuration).start(
            .urls((0..<1000).flatMap { ["\(busy.url)/\($0)", "\(quick.url)/\($0)"] })
        )
        var codes: [String: Int] = [:]
        for await result in run { codes[result.failure?.code.name ?? "", default: 0] += 1 }
        #expect(codes[""] == 1000)
        #expect(codes["host_unavailable", default: 0] + codes["status", default: 0] == 1000)
        // Six at first, and one after each of the two pauses.
        #expect(busy.requestCount <= 8)
    }

    @Test("The other URLs of a host don't wait for the end of the probe's body")
    func bodyOfTheProbeDelaysNoOtherURL() async throws {
        let gate = Gate()
        let counter = Counter()
        let server = try LoopbackServer { _ in
            counter.increment()
            switch counter.value {
            case 1...4: return .status(503).header("Retry-After", "1")
            case 5:
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"
                return .steps([.send(head), .waitFor(gate), .send("half")])
            default: return .text("x")
            }
        }
        // The fifth request starts after an answer, so that it is a probe.
        let configuration = BatchConfiguration(concurrency: 4, retry: BatchRetryPolicy(limit: 9))
        let run = try Batch(configuration).start(.urls((0..<9).map { "\(server.url)/\($0)" }))
        async let results = run.reduce(into: [BatchResult]()) { $0.append($1) }
        // Each of the nine URLs, and four retries.
        try await server.requests(count: 13)
        gate.open()
        #expect(await results.allSatisfy { $0.isFetched })
    }
}
