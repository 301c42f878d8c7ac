import CurlResilience
import Posix
import Testing

@testable import BatchFetch

/// What a host's answers change about its limits.
@Suite struct HostStateTests {
    private let start = MonotonicTime(nanoseconds: 0)
    private let failure = BatchFailure(.timeout, "no response")

    private func later(_ time: Duration) -> MonotonicTime { start.advanced(by: time) }

    private func state(
        interval: Duration = .zero,
        isAdaptive: Bool = false,
        breaker: BreakerPolicy? = nil
    ) -> HostState {
        let policy = HostPolicy(concurrency: 4, interval: interval)
        return HostState(policy, isAdaptive: isAdaptive, breaker: breaker)
    }

    @Test func hostWithoutAnIntervalNeverWaits() {
        var state = state()
        #expect(state.attemptStarted(at: start) == nil)
        #expect(state.attemptStarted(at: start) == nil)
    }

    @Test func crawlDelayCannotShortenTheConfiguredInterval() {
        var state = state(interval: .seconds(2))
        state.require(interval: .seconds(1))
        #expect(state.attemptStarted(at: start) == later(.seconds(2)))
        state.require(interval: .seconds(5))
        #expect(state.attemptStarted(at: later(.seconds(2))) == later(.seconds(7)))
        state.require(interval: .zero)
        #expect(state.attemptStarted(at: later(.seconds(7))) == later(.seconds(9)))
    }

    @Test func lastFailureIsKeptUntilASuccess() {
        var state = state()
        _ = state.attemptEnded(.failing, failure, at: start)
        for feedback in [HostFeedback.neutral, .answered] {
            _ = state.attemptEnded(feedback, BatchFailure(.status, "x"), at: start)
            #expect(state.lastFailure == failure)
        }
        let busy = BatchFailure(.status, "the server answered 429")
        _ = state.attemptEnded(.overloaded, busy, pause: .seconds(1), at: start)
        #expect(state.lastFailure == busy)
        _ = state.attemptStarted(at: later(.seconds(1)))
        _ = state.attemptEnded(.healthy(.zero), at: later(.seconds(1)))
        #expect(state.lastFailure == nil)
    }

    @Test func hostWithoutABreakerIsNeverGivenUp() {
        var state = state()
        for _ in 0..<1000 { #expect(state.attemptEnded(.failing, failure, at: start) == .none) }
        #expect(!state.isBroken && !state.isGivenUp(at: start) && state.concurrency == 4)
        #expect(!state.hasLearnt)
    }

    @Test func brokenHostGetsOneAttemptAfterItsPause() {
        let policy = BreakerPolicy(threshold: 2, pause: .seconds(5), rounds: 3)
        var state = state(breaker: policy)
        #expect(state.attemptEnded(.failing, failure, at: start) == .none)
        #expect(state.concurrency == 4 && state.hasLearnt)
        let action = state.attemptEnded(.failing, failure, at: start)
        #expect(action == .hold(until: later(.seconds(5))))
        #expect(state.isBroken && state.concurrency == 1)
        _ = state.attemptStarted(at: later(.seconds(5)))
        #expect(state.concurrency == 1)
        #expect(state.attemptEnded(.answered, at: later(.seconds(6))) == .none)
        #expect(!state.isBroken && state.concurrency == 4 && !state.hasLearnt)
    }

    /// The smaller limit applies.
    @Test func adaptiveHostHasFewerInFlightAfterAFailure() {
        var state = state(isAdaptive: true)
        #expect(!state.hasLearnt)
        _ = state.attemptEnded(.overloaded, at: start)
        #expect(state.concurrency == 2 && state.hasLearnt)
        _ = state.attemptEnded(.overloaded, at: later(.seconds(1)))
        #expect(state.concurrency == 1)
        #expect(state.attemptStarted(at: later(.seconds(1))) == nil)
        // With one in flight the next step is a delay between starts.
        _ = state.attemptEnded(.overloaded, at: later(.seconds(2)))
        #expect(
            state.attemptStarted(at: later(.seconds(2))) == later(.milliseconds(2250))
        )
    }

    @Test func productTokenComesFromTheUserAgent() {
        var politeness = Politeness()
        #expect(politeness.token == "batchfetch")
        for (agent, token) in [
            ("Example/1.0 (+https://example.org/bot)", "example"), ("My_Bot-2", "my_bot-"),
            ("1bot", "batchfetch"), ("", "batchfetch"), ("bücher/1", "b"),
        ] {
            politeness.userAgent = agent
            #expect(politeness.token == token, "\(agent)")
        }
    }

    @Test func slowerOfRateAndDelayApplies() {
        var politeness = Politeness()
        #expect(politeness.policies(concurrency: 0)["a:80"].concurrency == 1)
        #expect(politeness.policies(concurrency: 3)["a:80"].interval == .zero)
        politeness.rate = RequestRate("2/s")
        #expect(politeness.policies(concurrency: 3)["a:80"].interval == .milliseconds(500))
        politeness.delay = .milliseconds(100)
        #expect(politeness.policies(concurrency: 3)["a:80"].interval == .milliseconds(500))
        politeness.delay = .seconds(1)
        #expect(politeness.policies(concurrency: 3)["a:80"].interval == .seconds(1))
    }
}
