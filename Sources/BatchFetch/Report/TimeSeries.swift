/// What happened when: counts, bytes and latencies of buckets of time that are all of one length. The
/// buckets grow as time goes on, so that there are never many.
struct TimeSeries: Sendable {
    /// One span of time.
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

    /// More buckets are made fewer.
    static let maximumCount = 120

    /// No run ends in the year 10000, or later.
    private static let latest: Int64 = 253_402_300_800_000_000

    /// Microseconds of a span.
    private(set) var width: Int64 = 62_500
    /// By their number, counted from 1970.
    private(set) var buckets: [Int64: Bucket] = [:]
    /// The first and the last moment: microseconds since 1970.
    private(set) var first = Int64.max
    private(set) var last = Int64.min

    var isEmpty: Bool { first > last }

    /// Seconds from the first moment to the last.
    var seconds: Double { isEmpty ? 0 : (Double(last) - Double(first)) / 1e6 }

    /// Counts a result that ended at a moment, with the bytes that came since it was started.
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

    /// Bytes count where they came, as evenly as is known.
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

    /// One span as it is shown.
    struct Point: Sendable {
        /// Seconds from the first moment to the beginning and the end.
        let start: Double
        let end: Double
        let bucket: Bucket

        var middle: Double { (start + end) / 2 }
        /// A span that was cut short counts as half of one at least, so that one result makes no peak.
        let seconds: Double
    }

    /// All buckets from the first to the last, those without any results, too.
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
