internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct CacheClockTests {
    /// Each read of the clock used to slow down the next one: so many reads would take hours.
    @Test func repeatedReadsNeverGoBackwards() {
        let clock = CacheClock()
        var last = clock.now
        for _ in 0..<300_000 { last = max(last, clock.now) }
        #expect(last <= clock.now)
    }

    @Test func clockCanBeReplaced() {
        let clock = CacheClock()
        let time = Date(timeIntervalSince1970: 1000)
        clock.follow { time }
        #expect(clock.now == time)
    }
}
