internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct CacheClockTests {
    /// Each look used to make the next one longer: so many would take hours.
    @Test func lookingOftenCostsTheSameEachTime() {
        let clock = CacheClock()
        var last = clock.now
        for _ in 0..<300_000 { last = max(last, clock.now) }
        #expect(last <= clock.now)
    }

    @Test func anotherClockIsFollowed() {
        let clock = CacheClock()
        let time = Date(timeIntervalSince1970: 1000)
        clock.follow { time }
        #expect(clock.now == time)
    }
}
