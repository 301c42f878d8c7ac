/// How many URLs each host had, in bounded memory: where there are too many hosts, those that had the
/// fewest are forgotten, and counted anew if they come again. Pure.
struct HostTallies: Sendable, Hashable {
    private let capacity: Int
    private var tallies: [String: BatchSummary.HostTally] = [:]
    /// Whether any were forgotten.
    private(set) var isIncomplete = false

    init(capacity: Int = 1024) {
        self.capacity = max(2, capacity)
    }

    mutating func add(_ host: String, isFailed: Bool, bytes: Int64) {
        tallies[host, default: BatchSummary.HostTally(host: host)].add(isFailed, bytes)
        if tallies.count > capacity { forgetHalf() }
    }

    /// Those with the most URLs first.
    var top: [BatchSummary.HostTally] {
        tallies.values.sorted { ($1.count, $0.host) < ($0.count, $1.host) }
    }

    private mutating func forgetHalf() {
        isIncomplete = true
        tallies = Dictionary(
            top.prefix(capacity / 2).map { ($0.host, $0) },
            uniquingKeysWith: { $1 }
        )
    }
}

extension BatchSummary.HostTally {
    fileprivate mutating func add(_ isFailed: Bool, _ bytes: Int64) {
        if isFailed { failed += 1 } else { done += 1 }
        self.bytes = self.bytes.addingReportingOverflow(bytes).partialValue
    }
}
