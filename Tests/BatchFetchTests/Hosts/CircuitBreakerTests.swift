import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite struct CircuitBreakerTests {
    private let policy = BreakerPolicy(
        threshold: 3,
        pause: .seconds(5),
        maximumPause: .seconds(12),
        rounds: 4
    )

    private func later(_ seconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test func breakerOpensAfterConsecutiveFailures() {
        var breaker = CircuitBreaker(policy)
        for feedback in [HostFeedback.failing, .failing, .answered, .failing, .neutral, .failing] {
            #expect(breaker.attemptEnded(feedback, at: later(0)) == .none)
        }
        #expect(breaker.concurrency == nil)
        #expect(breaker.attemptEnded(.failing, at: later(1)) == .hold(until: later(6)))
        #expect(breaker.concurrency == 1)
        // Attempts that were in flight at that time change nothing.
        #expect(breaker.attemptEnded(.failing, at: later(2)) == .none)
        #expect(breaker.attemptEnded(.healthy(.zero), at: later(2)) == .none)
    }

    @Test func oneProbeDecidesWhetherTheBreakerCloses() {
        var breaker = CircuitBreaker(policy)
        for _ in 0..<3 { _ = breaker.attemptEnded(.failing, at: later(0)) }
        breaker.attemptStarted(at: later(5))
        #expect(breaker.concurrency == 1)
        #expect(breaker.attemptEnded(.answered, at: later(6)) == .none)
        #expect(breaker.concurrency == nil)
    }

    @Test func pausesGrowUntilTheBreakerGivesUp() {
        var breaker = CircuitBreaker(policy)
        for _ in 0..<3 { _ = breaker.attemptEnded(.failing, at: later(0)) }
        breaker.attemptStarted(at: later(5))
        #expect(breaker.attemptEnded(.failing, at: later(5)) == .hold(until: later(15)))
        breaker.attemptStarted(at: later(15))
        #expect(breaker.attemptEnded(.failing, at: later(15)) == .hold(until: later(27)))
        #expect(!breaker.isGivenUp(at: later(16)))
        breaker.attemptStarted(at: later(27))
        #expect(breaker.attemptEnded(.failing, at: later(27)) == .giveUp(until: later(39)))
        #expect(breaker.isGivenUp(at: later(38)))
        #expect(!breaker.isGivenUp(at: later(39)))
        breaker.attemptStarted(at: later(39))
        #expect(breaker.attemptEnded(.healthy(.zero), at: later(40)) == .none)
        #expect(breaker.concurrency == nil)
    }

    @Test func retryBudgetIsAShareOfAllRequests() {
        var budget = RetryBudget(share: 0.2, reserve: 3)
        var spent = 0
        for _ in 0..<1000 {
            budget.earn()
            while budget.spend() { spent += 1 }
        }
        #expect((202...203).contains(spent))
        var none = RetryBudget(share: 0, reserve: 0)
        none.earn()
        let isSpent = none.spend()
        #expect(!isSpent)
    }
}
