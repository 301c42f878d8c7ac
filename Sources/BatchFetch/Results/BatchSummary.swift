/// The summary of a run. Its size doesn't depend on the number of URLs.
public struct BatchSummary: Sendable, Hashable {
    /// How often one kind of failure happened.
    public struct Tally: Sendable, Hashable {
        /// The kind of failure: a code, or `status` with the status code.
        public let name: String
        /// The number of occurrences.
        public package(set) var count: Int
        /// The first occurrence: its line number and message.
        public let example: String
    }

    /// The totals of one host.
    public struct HostTally: Sendable, Hashable {
        /// The host, a colon, and the port.
        public let host: String
        /// URLs that were fetched, or whose existing or unchanged body was kept.
        public package(set) var done = 0
        /// URLs that failed permanently.
        public package(set) var failed = 0
        /// Bytes of the last responses' bodies, decoded.
        public package(set) var bytes: Int64 = 0

        /// All URLs of the host.
        public var count: Int { done + failed }

        init(host: String) {
            self.host = host
        }
    }

    /// The maximum number of distinct kinds; further kinds are counted as `other`.
    static let maximumKinds = 100

    /// The counts, bytes and elapsed time at the end of the run.
    public var progress = BatchProgress()
    /// The durations of the last attempts of fetched URLs.
    public private(set) var latency = LatencyHistogram()
    private var failures: [String: Tally] = [:]
    private var hosts = HostTallies()

    /// Creates an empty summary.
    public init() {}

    /// The failures, most frequent first.
    public var topFailures: [Tally] {
        failures.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// The hosts with the most URLs, in descending order.
    ///
    /// With more than 1,024 hosts, these are the hosts that occurred most often recently, and their
    /// counts may be too low.
    public var topHosts: [HostTally] { hosts.top }

    /// Adds a result to the counts.
    ///
    /// - Parameter host: The URL's host, a colon and its port; `nil` for a line that is not a URL.
    public mutating func add(_ result: BatchResult, host: String? = nil) {
        guard result.duplicateOf == nil else {
            progress.duplicates += 1
            return
        }
        if let host {
            hosts.add(host, isFailed: result.failure != nil, bytes: result.bytes)
        }
        if result.isExisting {
            progress.existing += 1
            return
        }
        if result.isUnchanged {
            progress.unchanged += 1
            return
        }
        guard let failure = result.failure else {
            progress.fetched += 1
            if let total = result.timings.total { latency.record(total) }
            return
        }
        progress.failed += 1
        // The message contains the URL, so it would make each failure a kind of its own.
        let isStatus = failure.code == .status
        let name = isStatus ? "status \(result.status ?? 0)" : failure.code.name
        let isKnown = failures[name] != nil || failures.count < Self.maximumKinds
        let example = "line \(result.line): \(failure.message)"
        let none = Tally(name: isKnown ? name : "other", count: 0, example: example)
        failures[none.name, default: none].count += 1
    }
}
