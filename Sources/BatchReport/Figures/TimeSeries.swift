import BatchFetch

/// Counts, bytes and latencies in time buckets of equal length.
///
/// The buckets grow with the duration of the run, so that their number is bounded.
struct TimeSeries: Sendable {
    /// A time bucket.
    struct Bucket: Sendable {
        var fetched = 0
        var failed = 0
        var bytes = 0.0
        var latency = LatencyHistogram()

        mutating func add(_ other: Bucket) {
            fetched += other.fetched
            failed += other.failed
            bytes += other.bytes
            latency.add(other.latency)
        }
    }

    /// The maximum number of buckets; beyond it they are merged in pairs.
    static let maximumCount = 120

    /// The year 10000 in microseconds since 1970; later times are ignored.
    private static let latest: Int64 = 253_402_300_800_000_000

    /// The length of a bucket in microseconds.
    private(set) var width: Int64 = 62_500
    /// The buckets by index, counted from 1970.
    private(set) var buckets: [Int64: Bucket] = [:]
    /// The first start and the last end, in microseconds since 1970.
    private(set) var first = Int64.max
    private(set) var last = Int64.min

    var isEmpty: Bool { first > last }

    /// The seconds from the first start to the last end.
    var seconds: Double { isEmpty ? 0 : (Double(last) - Double(first)) / 1e6 }

    /// Adds a result that lasted from `start` to `end`.
    ///
    /// Both are in microseconds since 1970. The result counts at its end; its bytes are spread over
    /// its duration.
    mutating func add(_ sample: ReportSample, from start: Int64, to end: Int64) {
        guard start >= 0, end >= start, end < Self.latest else { return }
        first = min(first, start)
        last = max(last, end)
        while last / width - first / width >= Int64(Self.maximumCount) { widen() }
        let index = end / width
        if sample.failure == nil {
            buckets[index, default: Bucket()].fetched += 1
            if let total = sample.timings.total {
                buckets[index, default: Bucket()].latency.record(total)
            }
        } else {
            buckets[index, default: Bucket()].failed += 1
        }
        spread(Double(sample.bytes), from: start, to: end)
    }

    /// Spreads bytes evenly, because their actual distribution is unknown.
    private mutating func spread(_ bytes: Double, from start: Int64, to end: Int64) {
        guard bytes > 0 else { return }
        guard end > start else {
            buckets[end / width, default: Bucket()].bytes += bytes
            return
        }
        for index in (start / width)...(end / width) {
            let from = max(start, index * width)
            let to = min(end, (index + 1) * width)
            guard to > from else { continue }
            buckets[index, default: Bucket()].bytes +=
                bytes * Double(to - from) / Double(end - start)
        }
    }

    private mutating func widen() {
        width *= 2
        var wider: [Int64: Bucket] = [:]
        for (index, bucket) in buckets { wider[index / 2, default: Bucket()].add(bucket) }
        buckets = wider
    }

    /// A bucket as a plot shows it.
    struct Point: Sendable {
        /// The start and end, in seconds since the first start.
        let start: Double
        let end: Double
        let bucket: Bucket

        var middle: Double { (start + end) / 2 }
        /// The length in seconds. A partial bucket counts as at least half of one, so that a single
        /// result makes no peak.
        let seconds: Double
    }

    /// All buckets from the first to the last, including empty ones.
    var points: [Point] {
        guard !isEmpty else { return [] }
        return (first / width...last / width).map { index in
            let from = Double(max(first, index * width) - first) / 1e6
            let to = Double(min(last, (index + 1) * width) - first) / 1e6
            return Point(
                start: from,
                end: to,
                bucket: buckets[index] ?? Bucket(),
                seconds: max(to - from, Double(width) / 2e6)
            )
        }
    }
}
