import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Hosts that are idle for a while.
@Suite struct HostStateCacheTests {
    private let start = MonotonicTime(nanoseconds: 0)
    private let usual = HostPolicies(usual: HostPolicy(concurrency: 4, interval: .zero))

    private func later(_ seconds: Int64) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    @Test func failuresCountForAHostWhoseURLsArriveOneByOne() {
        var queues = HostQueues<Int>(
            policies: usual,
            breaker: BreakerPolicy(threshold: 3, pause: .seconds(5), rounds: 2)
        )
        for number in 0..<3 {
            queues.add(number, host: "a")
            #expect(queues.next(at: start) == number)
            queues.finished(host: "a", .failing, at: start)
        }
        queues.add(3, host: "a")
        #expect(queues.next(at: start) == nil)
        #expect(queues.nextHoldEnd == later(5))
        // The one attempt after the pause fails: the host is given up, even without waiting URLs.
        #expect(queues.next(at: later(5)) == 3)
        queues.finished(host: "a", .failing, at: later(5))
        #expect(queues.isGivenUp(host: "a", at: later(6)))
        _ = queues.next(at: later(60))
        #expect(queues.hostCount == 0 && !queues.isGivenUp(host: "a", at: later(60)))
        // A success ends it.
        queues.add(4, host: "a")
        #expect(queues.next(at: later(60)) == 4)
        queues.add(5, host: "a")
        #expect(queues.next(at: later(60)) == nil, "one attempt shows how it is")
        queues.finished(host: "a", .healthy(.zero), at: later(60))
        #expect(queues.next(at: later(60)) == 5)
    }

    @Test func overloadedHostKeepsItsReducedPaceWhileIdle() {
        var queues = HostQueues<Int>(policies: usual, isAdaptive: true)
        queues.add(0, host: "a")
        #expect(queues.next(at: start) == 0)
        queues.finished(host: "a", .overloaded, at: start)
        for number in 1...4 { queues.add(number, host: "a") }
        #expect(queues.next(at: later(9)) == 1)
        #expect(queues.next(at: later(9)) == 2)
        #expect(queues.next(at: later(9)) == nil, "half of four")
    }

    @Test func hostStateCacheKeepsOnlyTheLatestHosts() {
        var memory = HostStateCache(limit: 3)
        let state = HostState(usual["a:80"], isAdaptive: true, breaker: nil)
        for number in 0..<10 {
            memory.keep(state, of: "host\(number)")
            // A host that is added and removed repeatedly takes no more places than others.
            for _ in 0..<100 {
                _ = memory.take("often")
                memory.keep(state, of: "often")
            }
        }
        #expect(memory.count == 3)
        #expect(memory["often"] != nil && memory["host9"] != nil && memory["host8"] != nil)
        #expect(memory.take("host9") != nil && memory["host9"] == nil)
    }

    @Test func crawlDelayAppliesToURLsThatArriveLater() throws {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        var state = RunState(configuration)
        func job(_ url: String) throws -> FetchJob {
            FetchJob(target: try FetchTarget(url), line: 1, waitingSince: start)
        }
        func end(_ job: FetchJob, at now: MonotonicTime) {
            let result = BatchResult(url: job.target.url, line: 1)
            state.ended(
                EndedAttempt(of: job, result: result, decision: .giveUp),
                at: now
            )
        }
        state.add(try job("http://a/1"))
        let robots = try #require(state.start(upTo: 9, at: start).first)
        #expect(robots.isRobots)
        let file = RobotsFile(Array("User-agent: *\nCrawl-delay: 10\n".utf8), token: "x")
        state.endedRobots(robots, .file(file), decision: .giveUp, at: start)
        let first = try #require(state.start(upTo: 9, at: start).first)
        end(first, at: later(1))
        // The host is idle: state that only its queue held is discarded.
        #expect(state.start(upTo: 9, at: later(100)).isEmpty)
        for number in 2...4 { state.add(try job("http://a/\(number)")) }
        #expect(state.start(upTo: 9, at: later(100)).count == 1)
        #expect(state.start(upTo: 9, at: later(109)).isEmpty)
        #expect(state.start(upTo: 9, at: later(110)).count == 1)
    }
}
