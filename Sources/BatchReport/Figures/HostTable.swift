import BatchFetch

/// The figures of the hosts, in bounded memory.
///
/// If there are too many hosts, those that took the least time are removed.
package struct HostTable: Sendable {
    /// The figures of one host.
    struct Figures: Sendable {
        var fetched = 0
        var failed = 0
        var bytes: Int64 = 0
        /// The total time of all attempts in seconds.
        var time = 0.0
        /// The latencies of fetched URLs.
        var latency = LatencyHistogram(precision: 3)

        var count: Int { fetched + failed }
    }

    /// The figures of a host with its name.
    package struct Row: Sendable {
        package let host: String
        let figures: Figures
        /// The 90th percentile of the fetched URLs.
        package let latency: Duration
    }

    private let capacity: Int
    private(set) var figures: [String: Figures] = [:]
    /// The number of removed hosts; a host that appears again may count twice.
    private(set) var forgotten = 0

    package init(capacity: Int = 1024) {
        self.capacity = max(2, capacity)
    }

    package mutating func add(_ sample: ReportSample) {
        guard let host = sample.host else { return }
        let isFailed = sample.failure != nil
        let total = sample.timings.total ?? .zero
        // Updates in place: copying the histogram for each result would be expensive.
        figures[host, default: Figures()].add(
            isFailed: isFailed,
            bytes: sample.bytes,
            total: total
        )
        if figures.count > capacity { forgetHalf() }
    }

    private mutating func forgetHalf() {
        let ranked = figures.sorted { ($0.value.time, $0.key) > ($1.value.time, $1.key) }
        forgotten += ranked.count - capacity / 2
        figures = Dictionary(
            ranked.prefix(capacity / 2).map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
    }

    /// The slowest hosts, slowest first.
    package func slowest(_ count: Int) -> [Row] {
        let rows = figures.compactMap { host, figures in
            figures.latency.percentile(90).map { Row(host: host, figures: figures, latency: $0) }
        }
        return Array(
            rows.sorted { ($1.latency, $0.host) < ($0.latency, $1.host) }.prefix(count)
        )
    }

    /// The hosts with the most failed URLs.
    func mostFailed(_ count: Int) -> [Row] {
        let rows = figures.filter { $0.value.failed > 0 }.map { host, figures in
            Row(host: host, figures: figures, latency: figures.latency.percentile(90) ?? .zero)
        }
        return Array(
            rows.sorted { ($1.figures.failed, $0.host) < ($0.figures.failed, $1.host) }
                .prefix(count)
        )
    }
}

extension HostTable.Figures {
    mutating func add(isFailed: Bool, bytes: Int64, total: Duration) {
        if isFailed {
            failed += 1
        } else {
            fetched += 1
            latency.record(total)
        }
        self.bytes = self.bytes.addingBytes(bytes)
        time += total / .seconds(1)
    }
}
