/// How many durations fell where, in constant memory and with at most 3 % error.
///
/// Microseconds are counted in buckets: 32 for each doubling, so that a bucket is a thirty-second
/// of what it counts. The smallest are exact, and nothing overflows.
public struct LatencyHistogram: Sendable, Hashable {
    /// Of the buckets for each doubling, the logarithm to the base 2.
    private let precision: Int
    private var perDoubling: Int { 1 << precision }

    private var counts: [UInt64]
    /// How many durations were recorded.
    public private(set) var count: UInt64 = 0
    /// The longest of them.
    public private(set) var maximum: Duration = .zero

    /// Creates a histogram without any durations.
    public init() { self.init(precision: 5) }

    /// Creates a smaller one: each step less makes the error twice as large, and the memory half as
    /// much.
    init(precision: Int) {
        self.precision = precision
        counts = [UInt64](repeating: 0, count: (64 - precision + 1) << precision)
    }

    /// Adds what another one of the same precision counts.
    mutating func add(_ other: LatencyHistogram) {
        guard other.precision == precision else { return }
        for (bucket, inBucket) in other.counts.enumerated() { counts[bucket] += inBucket }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The durations that were recorded, by the bounds of the buckets that have any.
    var buckets: [(lower: Duration, upper: Duration, count: UInt64)] {
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

    /// The duration that `percent` of all don't exceed, within the precision; `nil` without any.
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

    /// The largest value that the bucket counts.
    private func upperBound(of bucket: Int) -> Int64 {
        guard bucket >= perDoubling else { return Int64(bucket) }
        let shift = UInt64(bucket / perDoubling - 1)
        let start = UInt64(perDoubling + bucket % perDoubling)
        let end = (start + 1) << shift
        // The last doubling's end is beyond 64 bits.
        return Int64(clamping: (end >> shift == start + 1 ? end : .max) - 1)
    }
}
