internal import BatchFetch
internal import Posix

/// The hosts that a worker holds, and the URLs that it has of them. Pure.
///
/// A host's slices begin small and grow while it empties them quickly. So the worker has few URLs
/// of hosts that are slow or have to wait, however many of them it holds. Where most hosts are fast,
/// further ones begin with larger slices.
struct HeldHosts {
    /// The numbers of URLs of a slice: powers of two.
    static let sliceLimits = 16...256
    /// The number of hosts up to which a first slice may be larger than the smallest.
    private static let fewHosts = 64
    /// The number of URLs from which ``hungry(minimum:at:isWaiting:)`` adds no further host.
    private static let mostSliced = 1024
    /// The smallest number of URLs for which a connection is worth opening.
    static let leastPerConnection = 4

    private struct Ticket {
        let lease: HostLease
        let key: String
        let place: String?
        let precaution: TakenSlice.Precaution
    }

    private var hosts: [Int: HeldHost] = [:]
    private var tickets: [UInt64: Ticket] = [:]
    private var lastTicket: UInt64 = 0
    /// The ticket with the precaution `worker`; `nil` if the worker has none.
    private var aloneTicket: UInt64?
    /// When the first lease ends, unless it is renewed.
    private(set) var deadline = BootTime.distantFuture
    /// Whether the last call of ``hungry(minimum:at:isWaiting:)`` has left hosts out.
    private(set) var hasFurtherHungry = false
    /// The average limit of the last slices. At first it lets hosts begin with 64 URLs: a new worker
    /// has none.
    private var usualLimit = 96.0
    /// The average number of URLs in the queues of the last leased hosts; `nil` before the first.
    private var usualPending: Double?

    var count: Int { hosts.count }

    /// The number of URLs without a result.
    var inHand: Int { tickets.count }

    var leases: [HostLease] { hosts.values.map(\.lease) }

    func name(of lease: HostLease) -> String? { hosts[lease.host]?.name }

    func contains(_ lease: HostLease) -> Bool { hosts[lease.host]?.lease == lease }

    /// Whether the database has a state of the host, from its last owner.
    func hasFeedback(_ lease: HostLease) -> Bool { hosts[lease.host]?.hasFeedback ?? false }

    /// Whether a request to the host was aborted, which the server may still be processing.
    func isAborted(_ lease: HostLease) -> Bool { hosts[lease.host]?.isAborted ?? false }

    /// Adds hosts whose leases last until `deadline` at least.
    mutating func add(_ leased: [LeasedHost], until deadline: BootTime) {
        guard !leased.isEmpty else { return }
        for host in leased {
            let pending = Double(host.pending)
            usualPending = usualPending.map { $0 + (pending - $0) / 16 } ?? pending
            let isWatched = host.losses >= TakenSlice.watchedLosses
            hosts[host.lease.host] = HeldHost(
                lease: host.lease,
                name: host.name,
                hasFeedback: host.feedback.map { !$0.isEmpty } ?? false,
                isWatched: isWatched,
                limit: isWatched ? Self.sliceLimits.lowerBound : firstLimit(of: host.pending)
            )
        }
        self.deadline = min(self.deadline, deadline)
    }

    /// The limit of the first slice of a host with so many URLs: about half of the usual limit if there
    /// are few hosts.
    private func firstLimit(of pending: Int) -> Int {
        var limit = Self.sliceLimits.lowerBound
        // A worker holds many hosts where most of them have few URLs, or have to wait.
        guard hosts.count < Self.fewHosts else { return limit }
        while Double(3 * limit) <= usualLimit, limit < pending { limit *= 2 }
        return limit
    }

    /// Notes a renewal. Returns false if the lease of a host with requests is lost.
    mutating func renew(_ held: Set<HostLease>, until deadline: BootTime) -> Bool {
        guard survives(held, of: leases) else { return false }
        remove(finished.filter { !held.contains($0) })
        if !hosts.isEmpty { self.deadline = deadline }
        return true
    }

    /// Whether the worker keeps its requests if, of `leases`, it has only `held`.
    ///
    /// It may without a finished host, which gets no requests: if the answer to a report is lost, the
    /// worker doesn't know that it has given the host back.
    func survives(_ held: Set<HostLease>, of leases: some Sequence<HostLease>) -> Bool {
        leases.allSatisfy { lease in
            guard !held.contains(lease), let host = hosts[lease.host] else { return true }
            return host.lease != lease || host.isFinished
        }
    }

    /// Hosts that have half a slice or less in hand, with their next slices.
    ///
    /// Together these are little more than ``mostSliced`` URLs. The hosts with the fewest in hand come
    /// first, and the next call returns others.
    ///
    /// - Parameters:
    ///   - minimum: The least number of URLs that a host needs in hand.
    ///   - isWaiting: Whether a host gets no requests now. Only asked if a URL needs a precaution.
    mutating func hungry(
        minimum: Int,
        at now: MonotonicTime,
        isWaiting: (_ host: String) -> Bool = { _ in false }
    ) -> [HostLease: SliceBounds] {
        var hasAlone = aloneTicket != nil
        let hungry = hosts.filter { _, host in
            guard !host.isExhausted, host.inHand <= max(host.limit / 2, minimum) else {
                return false
            }
            guard host.next > .free else { return true }
            // Taken only if its request can start, so that other deaths don't count.
            guard host.inHand == 0, host.next == .host || !hasAlone, !isWaiting(host.name) else {
                return false
            }
            if host.next == .worker { hasAlone = true }
            return true
        }
        var slices: [HostLease: SliceBounds] = [:]
        var count = 0
        for (number, host) in hungry.sorted(by: { $0.value.inHand < $1.value.inHand })
        where count < Self.mostSliced {
            var host = host
            host.adapt(at: now)
            usualLimit += (Double(host.limit) - usualLimit) / 16
            hosts[number] = host
            let limit = max(host.limit, 2 * minimum)
            slices[host.lease] = SliceBounds(position: host.position, limit: limit)
            count += limit
        }
        hasFurtherHungry = slices.count < hungry.count
        return slices
    }

    /// The number of URLs that the worker counts on to be in flight at once, at most `perHost` of
    /// each host.
    ///
    /// The last URLs of a host count as fewer: with more hosts in their place, a connection is used
    /// for several URLs.
    ///
    /// - Parameters:
    ///   - perConnection: The number of a host's last URLs that count as one.
    ///   - isWaiting: Whether a host gets no requests now.
    func startable(
        perHost: Int,
        perConnection: Int,
        isWaiting: (_ host: String) -> Bool
    ) -> Int {
        hosts.values.reduce(0) { sum, host in
            guard host.hasURLs, !isWaiting(host.name) else { return sum }
            return sum + host.startable(perHost: perHost, perConnection: perConnection)
        }
    }

    /// The number of URLs that a further host probably adds to ``startable(perHost:perConnection:isWaiting:)``.
    func usualStartable(perHost: Int, perConnection: Int) -> Int {
        guard let usualPending else { return perHost }
        return HeldHost.startable(max(1, Int(usualPending)), perHost, perConnection)
    }

    /// The part of a slice that may be taken now. Its noted URLs must be noted before.
    func select(_ urls: [QueuedURL]) -> TakenSlice {
        var slice = TakenSlice(isWorkerBusy: aloneTicket != nil)
        for url in urls {
            guard let host = hosts[url.host] else { continue }
            if host.isWatched {
                slice.add(watched: url, inHand: host.inHand, hasSuspect: host.hasSuspect)
            } else {
                slice.add(url)
            }
        }
        return slice
    }

    /// Takes a slice of queues, and returns the work with tickets.
    ///
    /// - Parameters:
    ///   - asked: The hosts of the slice, with what the worker asked for.
    ///   - cuts: The hosts that have further URLs, with what the next one needs.
    ///   - report: Gets the failures of URLs that can't be decoded.
    mutating func take(
        _ urls: [QueuedURL],
        of asked: [HostLease: SliceBounds],
        cuts: [Int: TakenSlice.Precaution] = [:],
        report: inout FleetReport
    ) -> [WorkItem] {
        var items: [(item: WorkItem, host: Int)] = []
        var counts: [Int: Int] = [:]
        for url in urls {
            guard let (lease, isWatched) = hosts[url.host]?.pass(url.position) else { continue }
            counts[url.host, default: 0] += 1
            guard let details = url.details, var item = WorkItem(text: details) else {
                report.completions.append(Self.damage(of: url, lease))
                continue
            }
            guard !isWatched || url.losses < TakenSlice.maximumLosses else {
                report.completions.append(Self.loss(of: url, item, lease))
                continue
            }
            let precaution: TakenSlice.Precaution =
                isWatched ? .init(losses: url.losses) : .free
            lastTicket += 1
            item.ticket = lastTicket
            tickets[lastTicket] = Ticket(
                lease: lease,
                key: url.key,
                place: url.place,
                precaution: precaution
            )
            if precaution == .worker { aloneTicket = lastTicket }
            hosts[url.host]?.take(precaution)
            items.append((item, url.host))
        }
        var exhausted: Set<Int> = []
        for (lease, bounds) in asked {
            let cut = cuts[lease.host]
            hosts[lease.host]?.next = cut ?? .free
            guard cut == nil, counts[lease.host, default: 0] < bounds.limit else { continue }
            hosts[lease.host]?.isExhausted = true
            exhausted.insert(lease.host)
        }
        return items.map { item, host in
            var item = item
            item.isFollowed = !exhausted.contains(host)
            return item
        }
    }

    /// The failure of a URL that has ended too many workers.
    private static func loss(
        of url: QueuedURL,
        _ item: WorkItem,
        _ lease: HostLease
    ) -> FleetReport.Completion {
        let failure = BatchFailure(
            .workerEnded,
            "the worker ended \(url.losses) times while it fetched this URL: see why, and then queue "
                + "it again with fleet retry-failed"
        )
        return FleetReport.Completion(
            lease: lease,
            key: url.key,
            isFetched: false,
            line: item.failed(failure).jsonLine
        )
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
        // Each result is copied once here; each access to an element of the array would copy it.
        for result in results {
            guard let ticket = release(result.ticket, &report) else { continue }
            guard result.failure?.code != .cancelled else {
                hosts[ticket.lease.host]?.isAborted = true
                continue
            }
            report.completions.append(
                FleetReport.Completion(
                    lease: ticket.lease,
                    key: ticket.key,
                    isFetched: result.isFetched,
                    line: result.jsonLine,
                    place: ticket.place
                )
            )
        }
    }

    /// Adds the URLs that continue in the queues of other hosts to a report.
    mutating func move(_ moved: [WorkInbox.Moved], report: inout FleetReport) {
        for moved in moved {
            let item = moved.work
            guard let ticket = release(item.ticket, &report) else { continue }
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

    private mutating func release(_ number: UInt64?, _ report: inout FleetReport) -> Ticket? {
        guard let number, let ticket = tickets.removeValue(forKey: number) else { return nil }
        hosts[ticket.lease.host]?.inHand -= 1
        if ticket.precaution > .free {
            hosts[ticket.lease.host]?.hasSuspect = false
            if number == aloneTicket { aloneTicket = nil }
            // Otherwise the death of the worker by the next URL would count for this one.
            report.isUrgent = true
        }
        return ticket
    }

    /// The hosts without URLs in hand and in the queue.
    var finished: [HostLease] {
        hosts.values.filter(\.isFinished).map(\.lease)
    }

    /// The finished hosts of which a report has no results, so that they can be given back before it.
    func finished(before report: FleetReport) -> [HostLease] {
        let later = Set(report.completions.map(\.lease))
        return finished.filter { !later.contains($0) }
    }

    /// Forgets hosts that the worker has given back.
    mutating func remove(_ leases: [HostLease]) {
        for lease in leases { hosts[lease.host] = nil }
        if hosts.isEmpty { deadline = .distantFuture }
    }
}
