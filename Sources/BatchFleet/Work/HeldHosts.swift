internal import BatchFetch
internal import Posix

/// The hosts that a worker holds, and the URLs that it has of them. Pure.
struct HeldHosts {
    private struct Host {
        let lease: HostLease
        let name: String
        var position = QueuePosition.start
        /// The number of URLs without a result.
        var inHand = 0
        /// Whether the queue had no more URLs.
        var isExhausted = false
    }

    private struct Ticket {
        let lease: HostLease
        let key: String
    }

    private var hosts: [Int: Host] = [:]
    private var tickets: [UInt64: Ticket] = [:]
    private var lastTicket: UInt64 = 0
    /// When the first lease ends, unless it is renewed.
    private(set) var deadline = MonotonicTime.distantFuture

    var count: Int { hosts.count }

    /// The number of URLs without a result.
    var inHand: Int { tickets.count }

    var leases: [HostLease] { hosts.values.map(\.lease) }

    func name(of lease: HostLease) -> String? { hosts[lease.host]?.name }

    /// Adds hosts whose leases last until `deadline` at least.
    mutating func add(_ leased: [LeasedHost], until deadline: MonotonicTime) {
        guard !leased.isEmpty else { return }
        for host in leased {
            hosts[host.lease.host] = Host(lease: host.lease, name: host.name)
        }
        self.deadline = min(self.deadline, deadline)
    }

    /// Notes a renewal. Returns false if a lease is lost.
    mutating func renew(_ held: Set<HostLease>, until deadline: MonotonicTime) -> Bool {
        guard leases.allSatisfy({ held.contains($0) }) else { return false }
        self.deadline = deadline
        return true
    }

    /// Hosts that have fewer than half of `limit` URLs in hand, with their places in the queue.
    func hungry(limit: Int) -> [HostLease: QueuePosition] {
        var positions: [HostLease: QueuePosition] = [:]
        for host in hosts.values where !host.isExhausted && host.inHand <= limit / 2 {
            positions[host.lease] = host.position
        }
        return positions
    }

    /// Takes a slice of queues, and returns the work with tickets.
    ///
    /// - Parameters:
    ///   - asked: The hosts of the slice.
    ///   - limit: The maximum number of URLs for each.
    ///   - report: Gets the failures of URLs that can't be decoded.
    mutating func take(
        _ urls: [QueuedURL],
        of asked: some Sequence<HostLease>,
        limit: Int,
        report: inout FleetReport
    ) -> [WorkItem] {
        var items: [WorkItem] = []
        var counts: [Int: Int] = [:]
        for url in urls {
            guard let lease = hosts[url.host]?.lease else { continue }
            counts[url.host, default: 0] += 1
            hosts[url.host]?.position = url.position
            guard let details = url.details, var item = WorkItem(text: details) else {
                report.completions.append(Self.damage(of: url, lease))
                continue
            }
            lastTicket += 1
            item.ticket = lastTicket
            tickets[lastTicket] = Ticket(lease: lease, key: url.key)
            hosts[url.host]?.inHand += 1
            items.append(item)
        }
        for lease in asked where counts[lease.host, default: 0] < limit {
            hosts[lease.host]?.isExhausted = true
        }
        return items
    }

    private static func damage(of url: QueuedURL, _ lease: HostLease) -> FleetReport.Completion {
        var result = BatchResult(url: url.url, line: 0)
        result.failure = BatchFailure(
            .input,
            "this batchfetch can't read the details of the URL: add it with the same version"
        )
        return FleetReport.Completion(
            lease: lease,
            key: url.key,
            isFetched: false,
            line: result.jsonLine
        )
    }

    /// Adds the results of URLs to a report.
    ///
    /// A cancelled URL isn't reported: it stays in its queue.
    mutating func complete(_ results: [BatchResult], report: inout FleetReport) {
        for result in results {
            guard let ticket = release(result.ticket), result.failure?.code != .cancelled else {
                continue
            }
            report.completions.append(
                FleetReport.Completion(
                    lease: ticket.lease,
                    key: ticket.key,
                    isFetched: result.isFetched,
                    line: result.jsonLine
                )
            )
        }
    }

    /// Adds the URLs that continue in the queues of other hosts to a report.
    mutating func move(_ moved: [WorkInbox.Moved], report: inout FleetReport) {
        for moved in moved {
            let item = moved.work
            guard let ticket = release(item.ticket) else { continue }
            report.moves.append(
                FleetReport.Move(
                    lease: ticket.lease,
                    key: ticket.key,
                    target: item.host,
                    url: item.nextURL,
                    details: item.text,
                    delay: moved.delay
                )
            )
        }
    }

    private mutating func release(_ number: UInt64?) -> Ticket? {
        guard let number, let ticket = tickets.removeValue(forKey: number) else { return nil }
        hosts[ticket.lease.host]?.inHand -= 1
        return ticket
    }

    /// The hosts without URLs in hand and in the queue.
    var finished: [HostLease] {
        hosts.values.filter { $0.isExhausted && $0.inHand == 0 }.map(\.lease)
    }

    /// Forgets hosts that the worker has given back.
    mutating func remove(_ leases: [HostLease]) {
        for lease in leases { hosts[lease.host] = nil }
        if hosts.isEmpty { deadline = .distantFuture }
    }
}
