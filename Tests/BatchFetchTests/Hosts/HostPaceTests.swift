import CurlResilience
import Posix
import Testing

@testable import BatchFetch

@Suite struct HostPaceTests {
    @Test("A host that only fails gets a few requests in its first second, however fast it answers")
    func hostThatOnlyFailsGetsFewRequests() {
        let policies = HostPolicies(usual: HostPolicy(concurrency: 6, interval: .zero))
        var queues = HostQueues<Int>(policies: policies, isAdaptive: true, breaker: nil)
        for number in 0..<10_000 { queues.add(number, host: "a") }
        var started = 0
        // Each answer arrives after a tenth of a millisecond.
        for tick in 0..<10_000 {
            let now = MonotonicTime(nanoseconds: Int64(tick) * 100_000)
            var inFlight = 0
            while queues.next(at: now) != nil { inFlight += 1 }
            for _ in 0..<inFlight { queues.finished(host: "a", .failing, at: now) }
            started += inFlight
        }
        #expect(started >= 7 && started <= 20, "\(started)")
    }
}
