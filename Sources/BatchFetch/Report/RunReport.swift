/// A page about a run: what became of the URLs, how long they took and how fast they came over
/// time, which hosts were slow, and what went wrong.
///
/// ```swift
/// var report = RunReport()
/// try report.read(resultsOf: "results.jsonl")
/// try report.write(to: "report.html", title: "results.jsonl")
/// ```
///
/// It takes the same memory (a few megabytes) however many results there are. The page is one file
/// of HTML that loads nothing and runs nothing.
public struct RunReport: Sendable {
    /// A line of results that could not be read.
    public struct DamagedLine: Sendable, Hashable {
        /// Its number in the file, from 1.
        public let line: Int
        /// What is wrong with it.
        public let reason: String
    }

    /// The most damaged lines that are named.
    private static let namedDamage = 20
    private static let mostStatuses = 1000

    /// URLs that were fetched.
    public internal(set) var fetched = 0
    /// URLs whose files were there already.
    public internal(set) var existing = 0
    /// URLs whose bodies of an earlier run are still the right ones.
    public internal(set) var unchanged = 0
    /// URLs that failed.
    public internal(set) var failed = 0
    /// Further attempts.
    public internal(set) var retries = 0
    /// Bytes that were transferred, of the last attempts.
    public internal(set) var bytes: Int64 = 0
    /// Lines of results that could not be read; the first 20 are ``damagedLines``.
    public internal(set) var damaged = 0
    /// The first lines that could not be read.
    public internal(set) var damagedLines: [DamagedLine] = []

    /// How many answers had which status.
    var statuses: [Int: Int] = [:]
    /// How many of the fetched came over a connection that had served another, and by which protocol.
    var reused = 0
    var http2 = 0
    var phases = PhaseTimes()
    var series = TimeSeries()
    var hosts = HostTable()
    var failures = FailureTable()

    /// Creates a report of nothing.
    public init() {}

    /// URLs that are done with.
    public var count: Int { fetched + existing + unchanged + failed }

    /// Counts a result.
    public mutating func add(_ result: BatchResult) { add(ReportSample(result)) }

    mutating func add(_ sample: ReportSample) {
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
        bytes = bytes.addingReportingOverflow(sample.bytes).partialValue
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
