import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

struct DurationTests {
    @Test(
        "C1: A timeout keeps its fractions of a second",
        arguments: [
            (0.9, 900_000_000), (1.9, 1_900_000_000), (60, 60_000_000_000), (0.000_000_001, 1),
            (0.000_000_000_1, 1), (604_800, 604_800_000_000_000),
        ] as [(Double, Int64)]
    )
    func timeoutKeepsItsFractions(seconds: Double, nanoseconds: Int64) {
        #expect(Duration(limit: seconds) == .nanoseconds(nanoseconds))
    }

    @Test(
        "C1: A timeout that is zero, negative, infinite, huge or NaN is no timeout",
        arguments: [
            0, -0.0, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e18, 3.2e9,
        ] as [Double]
    )
    func nonpositiveTimeoutIsNone(seconds: Double) {
        #expect(Duration(limit: seconds) == nil)
    }

    @Test("C1: A converted timeout is never shorter, and at most a microsecond longer")
    func convertedTimeoutIsNeverShorter() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let exponent = Double.random(in: -9...9, using: &random)
            let seconds = Foundation.pow(10, exponent)
            let limit = try #require(Duration(limit: seconds))
            let (whole, attoseconds) = limit.components
            let back = Double(whole) + Double(attoseconds) / 1e18
            #expect(limit > .zero)
            #expect(back >= seconds * (1 - 1e-15))
            #expect(back <= seconds + max(1e-6, seconds * 1e-15))
        }
    }
}
