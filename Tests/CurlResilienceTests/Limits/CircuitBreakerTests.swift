import CurlResilience
import Posix
import Testing

@Suite struct CircuitBreakerTests {
    private let limits = CircuitBreaker.Limits(
        threshold: 3,
        pause: .seconds(5),
        maximumPause: .seconds(12),
        rounds: 4
    )

    private func later(_ seconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test func breakerOpensAfterConsecutiveFailures() {
        var breaker = CircuitBreaker(limits)
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
        var breaker = CircuitBreaker(limits)
        for _ in 0..<3 { _ = breaker.attemptEnded(.failing, at: later(0)) }
        breaker.attemptStarted(at: later(5))
        #expect(breaker.concurrency == 1)
        #expect(breaker.attemptEnded(.answered, at: later(6)) == .none)
        #expect(breaker.concurrency == nil)
    }

    @Test func pausesGrowUntilTheBreakerGivesUp() {
        var breaker = CircuitBreaker(limits)
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

    @Test("After a requested pause one probe is in flight, and its answer releases the others")
    func requestedPauseEndsWithOneProbe() {
        for limits in [limits, nil] {
            var breaker = CircuitBreaker(limits)
            let action = breaker.attemptEnded(.overloaded, pause: .seconds(9), at: later(0))
            #expect(action == .none && !breaker.isProbing && !breaker.isBroken)
            breaker.attemptStarted(at: later(9))
            #expect(breaker.isProbing)
            // Attempts that started before the pause change nothing.
            for feedback in [HostFeedback.failing, .answered, .healthy(.zero)] {
                _ = breaker.attemptEnded(feedback, isProbe: false, at: later(9))
            }
            #expect(breaker.isProbing)
            // A probe that shows nothing is repeated.
            _ = breaker.attemptEnded(.neutral, at: later(9))
            #expect(!breaker.isProbing && !breaker.hasNoFailures)
            breaker.attemptStarted(at: later(9))
            #expect(breaker.isProbing)
            breaker.probeAnswered()
            #expect(!breaker.isProbing && breaker.hasNoFailures)
        }
    }

    @Test("A host that only requests pauses is given up after the maximum number of them")
    func requestedPausesWithoutASuccessEndInGivingUp() {
        let limits = CircuitBreaker.Limits.usual(maximumPause: .seconds(12), waits: 3)
        var breaker = CircuitBreaker(limits)
        for wait in 0..<3 {
            breaker.attemptStarted(at: later(wait))
            // Several attempts that end together count once.
            for isProbe in [true, false, false] {
                let action = breaker.attemptEnded(
                    .overloaded,
                    pause: .seconds(1),
                    isProbe: isProbe,
                    at: later(wait)
                )
                #expect(action == .none)
            }
        }
        breaker.attemptStarted(at: later(3))
        let last = breaker.attemptEnded(.overloaded, pause: .seconds(1), at: later(3))
        #expect(last == .giveUp(until: later(15)))
        #expect(breaker.isGivenUp(at: later(14)) && !breaker.isGivenUp(at: later(15)))
        // The next probe decides again.
        breaker.attemptStarted(at: later(15))
        let again = breaker.attemptEnded(.overloaded, pause: .seconds(20), at: later(15))
        #expect(again == .giveUp(until: later(35)))
        breaker.attemptStarted(at: later(35))
        _ = breaker.attemptEnded(.healthy(.zero), at: later(35))
        #expect(breaker.hasNoFailures && !breaker.isGivenUp(at: later(35)))
    }

    @Test("A success between two requested pauses restarts their count, also one from before")
    func successRestartsTheCountOfRequestedPauses() {
        var breaker = CircuitBreaker(.usual(waits: 1))
        for second in 0..<10 {
            breaker.attemptStarted(at: later(second))
            let action = breaker.attemptEnded(.overloaded, pause: .seconds(1), at: later(second))
            #expect(action == .none)
            _ = breaker.attemptEnded(.healthy(.zero), isProbe: false, at: later(second))
        }
    }

    @Test("Requested pauses count although other failures come between them")
    func failuresDoNotRestartTheCountOfRequestedPauses() {
        var breaker = CircuitBreaker(.usual(waits: 2))
        for second in 0..<2 {
            breaker.attemptStarted(at: later(second))
            #expect(
                breaker.attemptEnded(.overloaded, pause: .seconds(1), at: later(second)) == .none
            )
            breaker.attemptStarted(at: later(second + 1))
            #expect(breaker.attemptEnded(.failing, at: later(second + 1)) == .none)
        }
        let last = breaker.attemptEnded(.failing, pause: .seconds(1), at: later(3))
        #expect(last == .giveUp(until: later(303)))
    }
}

extension CircuitBreaker.Limits {
    /// Limits with the defaults of a batch.
    fileprivate static func usual(
        maximumPause: Duration = .seconds(300),
        waits: Int
    ) -> CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            threshold: 20,
            pause: .seconds(5),
            maximumPause: maximumPause,
            rounds: 3,
            waits: waits
        )
    }
}
