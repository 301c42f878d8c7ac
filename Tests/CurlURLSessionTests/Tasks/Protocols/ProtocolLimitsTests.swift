import Testing

@testable import CurlURLSession

struct ProtocolLimitsTests {
    @Test func firstLimitReachedApplies() {
        let both = ProtocolLimits(idle: .seconds(10), total: .seconds(60))
        #expect(both.timeLeft(silence: .zero, age: .zero) == .seconds(10))
        #expect(both.timeLeft(silence: .seconds(4), age: .seconds(30)) == .seconds(6))
        #expect(both.timeLeft(silence: .seconds(1), age: .seconds(58)) == .seconds(2))
        #expect(both.timeLeft(silence: .seconds(10), age: .seconds(10)) == .zero)
    }

    @Test func noLimitMeansNoTimeout() {
        let none = ProtocolLimits(idle: nil, total: nil)
        #expect(none.timeLeft(silence: .seconds(100), age: .seconds(100)) == nil)
        let total = ProtocolLimits(idle: nil, total: .seconds(5))
        #expect(total.timeLeft(silence: .seconds(100), age: .seconds(1)) == .seconds(4))
        let idle = ProtocolLimits(idle: .seconds(5), total: nil)
        #expect(idle.timeLeft(silence: .seconds(1), age: .seconds(100)) == .seconds(4))
    }
}
