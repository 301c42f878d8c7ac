import CurlResilience
import TestSupport
import Testing

@Suite struct LatencyEstimateTests {
    @Test("Percentiles are at most an eighth too high, and never too low", arguments: 0..<20)
    func percentilesAreNearTheExactOnes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var estimate = LatencyEstimate(memory: 10_000)
        var all: [Duration] = []
        for _ in 0..<2000 {
            // From microseconds to minutes.
            let scale = Int.random(in: 4...26, using: &generator)
            let latency = Duration.microseconds(Int.random(in: 8...(1 << scale), using: &generator))
            estimate.record(latency)
            all.append(latency)
        }
        all.sort()
        for share in [0.1, 0.5, 0.9, 0.95, 0.99, 1] {
            let rank = max(1, Int((2000 * share).rounded(.up)))
            let exact = all[rank - 1]
            let found = estimate.duration(atShare: share) ?? .zero
            #expect(found >= exact && found <= exact * 1.126, "\(share): \(found), \(exact)")
        }
    }

    @Test("Old durations lose their weight")
    func oldDurationsLoseTheirWeight() {
        var estimate = LatencyEstimate(memory: 100)
        for _ in 0..<1000 { estimate.record(.seconds(1)) }
        for _ in 0..<400 { estimate.record(.milliseconds(1)) }
        #expect(estimate.duration(atShare: 0.9).map { $0 < .milliseconds(2) } == true)
        #expect(estimate.count < 100)
    }

    @Test(
        "Extreme durations are counted",
        arguments: [Duration.seconds(-5), .zero, .seconds(Int64.max)]
    )
    func extremeDurationsAreCounted(_ duration: Duration) {
        var estimate = LatencyEstimate()
        #expect(estimate.duration(atShare: 0.5) == nil)
        estimate.record(duration)
        #expect(estimate.count == 1 && estimate.duration(atShare: 0.5) != nil)
    }
}
