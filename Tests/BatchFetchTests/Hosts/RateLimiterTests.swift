import Posix
import Testing

@testable import BatchFetch

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
}
