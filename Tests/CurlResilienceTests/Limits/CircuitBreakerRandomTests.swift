import CurlResilience
import Posix
import TestSupport
import Testing

/// The breaker as middleware uses it: requests are refused instead of queued.
@Suite struct CircuitBreakerRandomTests {
    @Test("After any events at most one probe is in flight", arguments: 0..<100)
    func oneProbeIsInFlight(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = CircuitBreaker.Limits(
            threshold: Int.random(in: 1...5, using: &generator),
            pause: .seconds(5),
            maximumPause: .seconds(20)
        )
        var breaker = CircuitBreaker(limits)
        var now = MonotonicTime(nanoseconds: 0)
        // Whether each request in flight is a probe.
        var inFlight: [Bool] = []
        for _ in 0..<2000 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...2000, using: &generator)))
            if Bool.random(using: &generator) {
                switch breaker.permit(at: now) {
                case .granted: inFlight.append(false)
                case .probe:
                    #expect(!inFlight.contains(true))
                    inFlight.append(true)
                case .refused(let end?):
                    #expect(end > now && end <= now.advanced(by: .seconds(20)))
                case .refused(nil): #expect(inFlight.contains(true))
                }
            } else if let index = inFlight.indices.randomElement(using: &generator) {
                let isProbe = inFlight.remove(at: index)
                let feedback = [
                    HostFeedback.failing, .failing, .healthy(.zero), .neutral, .answered,
                ]
                .randomElement(using: &generator)
                guard let feedback else { continue }
                let action = breaker.attemptEnded(feedback, isProbe: isProbe, at: now)
                if case .giveUp = action { Issue.record("without a limit it never gives up") }
                if isProbe, feedback == .healthy(.zero) {
                    #expect(breaker.permit(at: now) == .granted)
                }
            }
        }
    }

    @Test("A refused request learns when the pause ends")
    func refusedRequestLearnsTheEnd() {
        let limits = CircuitBreaker.Limits(
            threshold: 1,
            pause: .seconds(5),
            maximumPause: .seconds(20)
        )
        var breaker = CircuitBreaker(limits)
        let start = MonotonicTime(nanoseconds: 0)
        _ = breaker.attemptEnded(.failing, isProbe: false, at: start)
        let end = start.advanced(by: .seconds(5))
        #expect(breaker.permit(at: start) == .refused(until: end))
        #expect(breaker.permit(at: end) == .probe)
        #expect(breaker.permit(at: end) == .refused(until: nil))
        // A probe that shows nothing leaves its place.
        _ = breaker.attemptEnded(.neutral, isProbe: true, at: end)
        #expect(breaker.permit(at: end) == .probe)
    }
}
