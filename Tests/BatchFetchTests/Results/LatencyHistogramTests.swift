import TestSupport
import Testing

@testable import BatchFetch

@Suite struct LatencyHistogramTests {
    @Test func percentilesAreWithinThreePercent() throws {
        var generator = SeededGenerator(seed: 3)
        var histogram = LatencyHistogram()
        var values: [Int64] = []
        for _ in 0..<20_000 {
            let exponent = Double.random(in: 0...8, using: &generator)
            var value = 1.0
            for _ in 0..<Int(exponent) { value *= 10 }
            let micros = Int64(value * Double.random(in: 1...10, using: &generator))
            values.append(micros)
            histogram.record(.microseconds(micros))
        }
        values.sort()
        for percent in [1.0, 25, 50, 90, 99, 99.9] {
            let exact = Double(values[Int((Double(values.count) * percent / 100).rounded(.up)) - 1])
            let estimate = try #require(histogram.percentile(percent)) / .microseconds(1)
            #expect(estimate >= exact && estimate <= exact * 1.032, "p\(percent)")
        }
        #expect(histogram.count == 20_000)
        #expect(histogram.percentile(100) == .microseconds(values.last ?? 0))
    }

    @Test func emptyHistogramHasNoPercentiles() {
        #expect(LatencyHistogram().percentile(50) == nil)
    }

    @Test func smallDurationsAreExact() {
        for micros in Int64(0)..<32 {
            var histogram = LatencyHistogram()
            histogram.record(.microseconds(micros))
            histogram.record(.seconds(1))
            #expect(histogram.percentile(50) == .microseconds(micros))
        }
    }

    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(-1), .zero, .nanoseconds(1), .microseconds(Int64.max),
    ])
    func extremeDurationsAreCounted(duration: Duration) {
        var histogram = LatencyHistogram()
        histogram.record(duration)
        #expect(histogram.count == 1)
        #expect(histogram.percentile(-5) != nil)
        #expect(histogram.percentile(500) != nil)
    }
}
