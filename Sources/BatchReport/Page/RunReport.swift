public import BatchFetch

/// An HTML report about a run.
///
/// It shows the outcomes of the URLs, latency and throughput over time, slow hosts, and failures.
///
/// ```swift
/// var report = RunReport()
/// try report.read(resultsOf: "results.jsonl")
/// try report.write(to: "report.html", title: "results.jsonl")
/// ```
///
/// The page shows URLs without user names, passwords, values of queries and fragments.
///
/// It takes a few megabytes of memory, independent of the number of results. The page is a single
/// HTML file that loads no resources and runs no scripts.
public struct RunReport: Sendable {
    /// A line of results that couldn't be read.
    public struct DamagedLine: Sendable, Hashable {
        /// The number of the line, from 1.
        public let line: Int
        /// Why the line couldn't be read.
        public let reason: String
    }

    /// The maximum number of damaged lines that are listed.
    private static let namedDamage = 20
    private static let mostStatuses = 1000

    /// The number of fetched URLs.
    public internal(set) var fetched = 0
    /// The number of URLs whose files existed already.
    public internal(set) var existing = 0
    /// The number of URLs whose bodies from an earlier run are unchanged.
    public internal(set) var unchanged = 0
    /// The number of failed URLs.
    public internal(set) var failed = 0
    /// The number of retries.
    public internal(set) var retries = 0
    /// The bytes that the last attempts transferred.
    public internal(set) var bytes: Int64 = 0
    /// The number of unreadable lines; ``damagedLines`` lists the first 20.
    public internal(set) var damaged = 0
    /// The first 20 unreadable lines.
    public internal(set) var damagedLines: [DamagedLine] = []

    /// The number of responses by status.
    var statuses: [Int: Int] = [:]
    /// The numbers of fetched URLs with a reused connection, and with HTTP/2.
    var reused = 0
    var http2 = 0
    var phases = PhaseTimes()
    var series = TimeSeries()
    var hosts = HostTable()
    var failures = FailureTable()

    /// Creates an empty report.
    public init() {}

    /// The number of completed URLs.
    public var count: Int { fetched + existing + unchanged + failed }

    /// Adds a result.
    public mutating func add(_ result: BatchResult) { add(ReportSample(result)) }

    mutating func add(_ sample: ReportSample) {
        guard !sample.isDuplicate else { return }
        retries += max(0, sample.attempts - 1)
        guard !sample.isExisting else {
            existing += 1
            return
        }
        if sample.isUnchanged {
            unchanged += 1
        } else if sample.failure == nil {
            fetched += 1
            reused += sample.isConnectionReused ? 1 : 0
            http2 += sample.httpVersion == "2" ? 1 : 0
            phases.add(sample.timings)
        } else {
            failed += 1
            failures.add(sample)
        }
        bytes = bytes.addingBytes(sample.bytes)
        if let status = sample.status, statuses[status] != nil || statuses.count < Self.mostStatuses
        {
            statuses[status, default: 0] += 1
        }
        hosts.add(sample)
        if let start = sample.startedAt, let end = sample.endedAt {
            series.add(sample, from: start, to: end)
        }
    }

    mutating func addDamage(line: Int, _ reason: String) {
        damaged += 1
        guard damagedLines.count < Self.namedDamage else { return }
        damagedLines.append(DamagedLine(line: line, reason: reason))
    }
}
