/// Counts the URLs of each host, in bounded memory. Pure.
///
/// If there are too many hosts, those with the fewest URLs are removed; their count restarts at
/// zero.
struct HostTallies: Sendable, Hashable {
    private let capacity: Int
    private var tallies: [String: BatchSummary.HostTally] = [:]
    /// Whether any host was removed.
    private(set) var isIncomplete = false

    init(capacity: Int = 1024) {
        self.capacity = max(2, capacity)
    }

    mutating func add(_ host: String, isFailed: Bool, bytes: Int64) {
        tallies[host, default: BatchSummary.HostTally(host: host)].add(isFailed, bytes)
        if tallies.count > capacity { forgetHalf() }
    }

    /// All hosts, those with the most URLs first.
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
        self.bytes = self.bytes.addingBytes(bytes)
    }
}
