/// What a run came to. It takes the same memory however many URLs there were.
public struct BatchSummary: Sendable, Hashable {
    /// How often something happened.
    public struct Tally: Sendable, Hashable {
        /// What happened.
        public let name: String
        /// How often.
        public package(set) var count: Int
        /// The first one: the line of the input, and the message.
        public let example: String
    }

    /// What one host's URLs came to.
    public struct HostTally: Sendable, Hashable {
        /// The host, a colon and its port.
        public let host: String
        /// URLs that were fetched, or needn't be.
        public package(set) var done = 0
        /// URLs that were given up.
        public package(set) var failed = 0
        /// Bytes of the last responses' bodies.
        public package(set) var bytes: Int64 = 0

        /// All its URLs.
        public var count: Int { done + failed }

        init(host: String) {
            self.host = host
        }
    }

    /// How many different failures are told apart; the others are counted as one.
    static let maximumKinds = 100

    /// Counts, bytes and time at the end.
    public var progress = BatchProgress()
    /// How long the last attempts of fetched URLs took.
    public private(set) var latency = LatencyHistogram()
    private var failures: [String: Tally] = [:]
    private var hosts = HostTallies()

    /// Creates an empty summary.
    public init() {}

    /// The failures, most frequent first.
    public var topFailures: [Tally] {
        failures.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// The hosts with the most URLs, those first. Of more than a thousand hosts they are those that were
    /// met most often lately, and their counts may be too low.
    public var topHosts: [HostTally] { hosts.top }

    /// Counts a result.
    ///
    /// - Parameter host: Its URL's host, a colon and its port; `nil` for a line that is no URL.
    public mutating func add(_ result: BatchResult, host: String? = nil) {
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
        // The message names the URL: it would be another kind each time.
        let isStatus = failure.code == .status
        let name = isStatus ? "status \(result.status ?? 0)" : failure.code.name
        let isKnown = failures[name] != nil || failures.count < Self.maximumKinds
        let example = "line \(result.line): \(failure.message)"
        let none = Tally(name: isKnown ? name : "other", count: 0, example: example)
        failures[none.name, default: none].count += 1
    }
}
