/// A histogram of durations in constant memory. The error is at most 3 %.
///
/// It counts microseconds in 32 buckets for each doubling, so that a bucket is as wide as a
/// thirty-second of its values. The smallest values are exact, and nothing overflows.
public struct LatencyHistogram: Sendable, Hashable {
    /// The base-2 logarithm of the number of buckets per doubling.
    private let precision: Int
    private var perDoubling: Int { 1 << precision }

    private var counts: [UInt64]
    /// The number of recorded durations.
    public private(set) var count: UInt64 = 0
    /// The longest recorded duration.
    public private(set) var maximum: Duration = .zero

    /// Creates an empty histogram.
    public init() { self.init(precision: 5) }

    /// Creates an empty histogram with 2^`precision` buckets per doubling.
    ///
    /// Each step less doubles the error and halves the memory.
    package init(precision: Int) {
        self.precision = precision
        counts = [UInt64](repeating: 0, count: (64 - precision + 1) << precision)
    }

    /// Adds the counts of another histogram; ignored if its precision differs.
    package mutating func add(_ other: LatencyHistogram) {
        guard other.precision == precision else { return }
        for (bucket, inBucket) in other.counts.enumerated() { counts[bucket] += inBucket }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The non-empty buckets with their bounds.
    package var buckets: [(lower: Duration, upper: Duration, count: UInt64)] {
        counts.enumerated().filter { $0.element > 0 }.map { bucket, inBucket in
            let lower = bucket == 0 ? 0 : upperBound(of: bucket - 1) + 1
            let upper = upperBound(of: bucket)
            return (.microseconds(lower), .microseconds(upper), inBucket)
        }
    }

    /// Counts a duration; a negative one counts as zero.
    public mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let micros = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        let value =
            micros.overflow
            ? UInt64.max
            : micros.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000_000)
        counts[bucket(of: value)] += 1
        count += 1
        maximum = max(maximum, duration)
    }

    /// The duration that `percent` of all don't exceed; `nil` if there are none.
    ///
    /// It is exact within the precision.
    public func percentile(_ percent: Double) -> Duration? {
        guard count > 0 else { return nil }
        let share = min(max(percent, 0), 100) / 100
        let rank = max(1, UInt64((Double(count) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (bucket, inBucket) in counts.enumerated() where inBucket > 0 {
            seen += inBucket
            if seen >= rank {
                return min(.microseconds(upperBound(of: bucket)), maximum)
            }
        }
        return maximum
    }

    private func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(perDoubling) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        let shift = exponent - precision
        let step = Int(truncatingIfNeeded: value >> UInt64(shift)) & (perDoubling - 1)
        return (shift + 1) * perDoubling + step
    }

    /// The largest value of the bucket.
    private func upperBound(of bucket: Int) -> Int64 {
        guard bucket >= perDoubling else { return Int64(bucket) }
        let shift = UInt64(bucket / perDoubling - 1)
        let start = UInt64(perDoubling + bucket % perDoubling)
        let end = (start + 1) << shift
        // The upper end of the last doubling exceeds 64 bits.
        return Int64(clamping: (end >> shift == start + 1 ? end : .max) - 1)
    }
}
