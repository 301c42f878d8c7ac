import Testing

@testable import Posix

@Suite struct BootTimeTests {
    @Test("The clock doesn't go back, and is never behind the monotonic one")
    func clockIsAhead() {
        let first = BootTime.now
        let monotonic = MonotonicTime.now
        let second = BootTime.now
        #expect(first <= second)
        #expect(second.nanoseconds >= monotonic.nanoseconds)
    }

    @Test("Times beyond 64 bits are saturated")
    func sumSaturates() {
        let time = BootTime(nanoseconds: 5)
        #expect(time.advanced(by: .nanoseconds(7)) == BootTime(nanoseconds: 12))
        #expect(BootTime.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
        #expect(time.advanced(by: .nanoseconds(-6)) == BootTime(nanoseconds: -1))
        #expect(time < .distantFuture)
    }
}
