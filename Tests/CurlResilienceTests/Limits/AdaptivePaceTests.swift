import CurlResilience
import Posix
import TestSupport
import Testing

@Suite struct AdaptivePaceTests {
    private func later(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).advanced(by: .milliseconds(milliseconds))
    }

    @Test func failuresHalveAndSuccessesIncrementTheConcurrency() {
        var pace = AdaptivePace(limit: 16)
        #expect(pace.concurrency == 16)
        pace.attemptEnded(.overloaded, at: later(0))
        #expect(pace.concurrency == 8)
        pace.attemptEnded(.failing, at: later(1000))
        #expect(pace.concurrency == 4)
        for _ in 0..<4 { pace.attemptEnded(.healthy(.milliseconds(5)), at: later(1001)) }
        #expect(pace.concurrency == 4)
        pace.attemptEnded(.healthy(.milliseconds(5)), at: later(1002))
        #expect(pace.concurrency == 5)
        for _ in 0..<1000 { pace.attemptEnded(.healthy(.milliseconds(5)), at: later(1003)) }
        #expect(pace.concurrency == 16)
    }

    @Test func concurrentFailuresCountOnce() {
        var pace = AdaptivePace(limit: 16)
        for _ in 0..<16 { pace.attemptEnded(.failing, at: later(10)) }
        #expect(pace.concurrency == 8)
    }

    @Test("A success between failures prevents the step back to one URL in flight")
    func successPreventsTheStepBack() {
        var pace = AdaptivePace(limit: 4)
        for _ in 0..<10 {
            for _ in 0..<4 { pace.attemptEnded(.failing, at: later(0)) }
            pace.attemptEnded(.healthy(.milliseconds(1)), at: later(0))
        }
        #expect(pace.concurrency > 1 && pace.delay == .zero)
        for _ in 0..<5 { pace.attemptEnded(.failing, at: later(0)) }
        #expect(pace.concurrency == 1 && pace.delay == .milliseconds(250))
    }

    @Test func delayGrowsWhenTheConcurrencyIsOne() {
        var pace = AdaptivePace(limit: 1)
        var delays: [Duration] = []
        for second in 0..<12 {
            pace.attemptEnded(.overloaded, at: later(second * 1000))
            delays.append(pace.delay)
        }
        #expect(delays.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        #expect(delays.last == .seconds(60))
        pace.attemptEnded(.healthy(.zero), at: later(13_000))
        #expect(pace.delay < .seconds(60))
        #expect(pace.concurrency == 1)
    }

    @Test func recoveredHostLosesItsDelayWithinMinutes() {
        var pace = AdaptivePace(limit: 1)
        for second in 0..<12 { pace.attemptEnded(.overloaded, at: later(second * 1000)) }
        var waited = Duration.zero
        while pace.delay > .zero {
            waited += pace.delay
            pace.attemptEnded(.healthy(.zero), at: later(13_000))
        }
        #expect(waited > .seconds(60) && waited < .seconds(300))
    }

    @Test func slowerResponsesReduceTheConcurrency() {
        var pace = AdaptivePace(limit: 8)
        for number in 0..<50 {
            pace.attemptEnded(.healthy(.milliseconds(100)), at: later(number))
        }
        #expect(pace.concurrency == 8)
        pace.attemptEnded(.healthy(.milliseconds(900)), at: later(1000))
        #expect(pace.concurrency == 4)
    }

    /// After any history, an error never increases the rate.
    @Test(arguments: 0..<50)
    func errorNeverIncreasesThePace(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var pace = AdaptivePace(limit: Int.random(in: 1...20, using: &generator))
        var now = 0
        for _ in 0..<500 {
            now += Int.random(in: 0...2000, using: &generator)
            let (concurrency, delay) = (pace.concurrency, pace.delay)
            switch Int.random(in: 0...4, using: &generator) {
            case 0:
                pace.attemptEnded(.failing, at: later(now))
            case 1:
                pace.attemptEnded(.overloaded, at: later(now))
            case 2:
                pace.attemptEnded(.answered, at: later(now))
            default:
                let latency = Int.random(in: 0...500, using: &generator)
                pace.attemptEnded(.healthy(.milliseconds(latency)), at: later(now))
                continue
            }
            #expect(pace.concurrency <= concurrency)
            #expect(pace.delay >= delay)
        }
    }
}
