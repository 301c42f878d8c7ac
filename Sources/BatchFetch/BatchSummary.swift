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

    /// How many different failures are told apart; the others are counted as one.
    static let maximumKinds = 100

    /// Counts, bytes and time at the end.
    public var progress = BatchProgress()
    /// How long the last attempts of fetched URLs took.
    public private(set) var latency = LatencyHistogram()
    private var failures: [String: Tally] = [:]

    /// Creates an empty summary.
    public init() {}

    /// The failures, most frequent first.
    public var topFailures: [Tally] {
        failures.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Counts a result.
    public mutating func add(_ result: BatchResult) {
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
