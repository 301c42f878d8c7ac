/// Estimates percentiles of recent durations in constant memory. Pure.
///
/// Each bucket is an eighth of a doubling wide, so the error is at most some 12 %. When as many
/// durations are counted as it remembers, all counts are halved: old ones lose their weight.
package struct LatencyEstimate: Sendable, Hashable {
    private static let perDoubling = 8
    /// From 1 µs to more than an hour.
    private static let bucketCount = 32 * perDoubling

    private let memory: Int
    private var counts = [Int](repeating: 0, count: bucketCount)
    /// The weight of the counted durations.
    package private(set) var count = 0

    /// - Parameter memory: How many durations are counted before their weight is halved.
    package init(memory: Int = 1000) {
        self.memory = max(2, memory)
    }

    /// Counts a duration; a negative one counts as zero.
    package mutating func record(_ duration: Duration) {
        counts[Self.bucket(of: duration)] += 1
        count += 1
        guard count >= memory else { return }
        for index in counts.indices { counts[index] /= 2 }
        count = counts.reduce(0, +)
    }

    /// The duration that a share of the counted ones doesn't exceed; `nil` if there are none.
    ///
    /// - Parameter share: From 0 to 1, such as 0.95.
    package func duration(atShare share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = max(1, (Double(count) * min(max(share, 0), 1)).rounded(.up))
        var seen = 0
        for (index, inBucket) in counts.enumerated() where inBucket > 0 {
            seen += inBucket
            if Double(seen) >= rank { return Self.upperBound(of: index) }
        }
        return nil
    }

    private static func bucket(of duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds > 0 ? bucketCount - 1 : 0 }
        let micros = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard !micros.overflow else { return bucketCount - 1 }
        let value = UInt64(max(0, micros.partialValue))
        guard value >= UInt64(perDoubling) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        let step = Int(truncatingIfNeeded: value >> UInt64(exponent - 3)) & (perDoubling - 1)
        return min(bucketCount - 1, (exponent - 2) * perDoubling + step)
    }

    /// The end of a bucket.
    private static func upperBound(of bucket: Int) -> Duration {
        guard bucket >= perDoubling else { return .microseconds(bucket + 1) }
        let shift = bucket / perDoubling - 1
        return .microseconds((perDoubling + bucket % perDoubling + 1) << shift)
    }
}
