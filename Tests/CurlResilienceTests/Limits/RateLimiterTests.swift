import CurlResilience
import Posix
import TestSupport
import Testing

@Suite struct RateLimiterTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test func eventsKeepTheMinimumInterval() {
        var gate = RateLimiter()
        let interval = Duration.milliseconds(200)
        var times: [MonotonicTime] = []
        var now = start
        while times.count < 20 {
            if gate.isOpen(interval: interval, at: now) {
                gate.pass(interval: interval, at: now)
                times.append(now)
            }
            now = now.advanced(by: .milliseconds(7))
        }
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later.nanoseconds(since: earlier) >= 200_000_000)
        }
        // A delay isn't compensated by faster starts, and doesn't add up.
        #expect(now.nanoseconds(since: start) < 20 * 210_000_000)
    }

    @Test func idleTimeAllowsNoBurst() {
        var gate = RateLimiter()
        gate.pass(interval: .seconds(1), at: start)
        let later = start.advanced(by: .seconds(100))
        gate.pass(interval: .seconds(1), at: later)
        #expect(!gate.isOpen(interval: .seconds(1), at: later))
    }

    @Test func highRateIsReachedWithACoarseClock() {
        var gate = RateLimiter()
        let interval = Duration.microseconds(100)
        var passed = 0
        for turn in 0..<1000 {
            let now = start.advanced(by: .milliseconds(turn))
            while gate.isOpen(interval: interval, at: now) {
                gate.pass(interval: interval, at: now)
                passed += 1
            }
        }
        #expect((9_900...10_200).contains(passed))
    }

    @Test("After a quiet time as many events follow at once as the burst allows")
    func burstFollowsAQuietTime() {
        var limiter = RateLimiter(burst: 5)
        let interval = Duration.seconds(1)
        for round in 0..<3 {
            let now = start.advanced(by: .seconds(100 * round))
            var passed = 0
            while limiter.isOpen(interval: interval, at: now) {
                limiter.pass(interval: interval, at: now)
                passed += 1
            }
            #expect(passed == 5)
            #expect(limiter.opens(interval: interval) == now.advanced(by: interval))
        }
    }

    @Test("In no stretch of time do more events pass than rate and burst allow", arguments: 0..<20)
    func rateAndBurstHoldInEachStretch(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let burst = Int.random(in: 1...8, using: &generator)
        let interval = Duration.milliseconds(Int.random(in: 10...500, using: &generator))
        var limiter = RateLimiter(burst: burst)
        var times: [Int64] = []
        var now = start
        for _ in 0..<400 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &generator)))
            while limiter.isOpen(interval: interval, at: now), Bool.random(using: &generator) {
                limiter.pass(interval: interval, at: now)
                times.append(now.nanoseconds)
            }
        }
        for first in times.indices {
            for last in first..<min(times.count, first + 40) {
                let stretch = times[last] - times[first]
                let allowed = Int64(burst) + stretch / interval.wholeNanoseconds
                #expect(Int64(last - first + 1) <= allowed)
            }
        }
    }
}
