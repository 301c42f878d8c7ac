import Posix
import Testing

@testable import BatchFetch
@testable import BatchFleet

/// What a worker knows about its hosts and URLs, without a database.
@Suite struct HeldHostsTests {
    private let later = BootTime(nanoseconds: 1_000)

    private func lease(_ host: Int, token: Int = 1) -> HostLease {
        HostLease(host: host, token: token)
    }

    private func held(_ hosts: Int...) -> HeldHosts {
        var held = HeldHosts()
        let leased = hosts.map {
            LeasedHost(lease: lease($0), name: "host\($0)", pending: 1, feedback: nil)
        }
        held.add(leased, until: later)
        return held
    }

    @Test("A host is finished once its queue is empty and its last URL has a result")
    func hostIsFinishedAfterLastResult() {
        var held = held(1, 2)
        let both = held.hungry(minimum: 2, at: .now)
        #expect(both == [lease(1): SliceBounds(limit: 16), lease(2): SliceBounds(limit: 16)])
        var report = FleetReport()
        _ = held.take([], of: [lease(1): SliceBounds(limit: 10)], report: &report)
        #expect(held.finished == [lease(1)])
        let other = held.hungry(minimum: 20, at: .now)
        #expect(other == [lease(2): SliceBounds(limit: 40)])
        held.remove([lease(1)])
        #expect(held.count == 1)
        #expect(held.deadline == later)
        held.remove([lease(2)])
        #expect(held.deadline == .distantFuture)
    }

    @Test("A URL whose details can't be read fails")
    func unreadableDetailsFail() throws {
        var held = held(1)
        var report = FleetReport()
        let url = QueuedURL(
            host: 1,
            key: "key",
            position: .start,
            attempts: 0,
            url: "http://a/",
            details: "damaged"
        )
        let items = held.take([url], of: [lease(1): SliceBounds(limit: 1)], report: &report)
        #expect(items.isEmpty)
        let completion = try #require(report.completions.first)
        #expect(completion.key == "key")
        #expect(!completion.isFetched)
        #expect(completion.line.contains("\"url\":\"http://a/\""))
        #expect(held.inHand == 0)
    }

    @Test("Slices grow while a host empties them quickly, and shrink again")
    func slicesFollowSpeed() {
        var held = held(1)
        var limits: [Int] = []
        var now = MonotonicTime.now
        for seconds in [0, 1, 1, 1, 1, 1, 5, 9, 9] {
            now = now.advanced(by: .seconds(seconds))
            limits += held.hungry(minimum: 2, at: now).values.map(\.limit)
        }
        #expect(limits == [16, 32, 64, 128, 256, 256, 256, 128, 64])
    }

    @Test("Where few hosts empty their slices quickly, further ones begin with larger slices")
    func firstSlicesFollowOtherHosts() {
        for (seconds, first) in [(1, 128), (10, 16)] {
            var held = held(1)
            var now = MonotonicTime.now
            for _ in 0..<100 {
                now = now.advanced(by: .seconds(seconds))
                _ = held.hungry(minimum: 2, at: now)
            }
            held.add(
                [LeasedHost(lease: lease(2), name: "host2", pending: 1000, feedback: nil)],
                until: later
            )
            #expect(held.hungry(minimum: 2, at: now)[lease(2)]?.limit == first)
            let many = (3...80).map {
                LeasedHost(lease: lease($0), name: "host\($0)", pending: 1000, feedback: nil)
            }
            held.add(many, until: later)
            held.remove((3..<80).map { lease($0) })
            #expect(held.hungry(minimum: 2, at: now)[lease(80)]?.limit == 16)
        }
    }

    @Test(
        "A new worker begins with larger slices, unless hosts have few URLs",
        arguments: [(1, 16), (16, 16), (17, 32), (1000, 64)]
    )
    func firstSlicesFollowQueues(pending: Int, limit: Int) {
        var held = HeldHosts()
        let host = LeasedHost(lease: lease(1), name: "host1", pending: pending, feedback: nil)
        held.add([host], until: later)
        #expect(held.hungry(minimum: 2, at: .now)[lease(1)]?.limit == limit)
    }

    @Test("Of many hosts that need URLs, those with the fewest come first")
    func slicesAreLimited() throws {
        var held = HeldHosts()
        let leased = (0..<100).map {
            LeasedHost(lease: lease($0), name: "host\($0)", pending: 9, feedback: nil)
        }
        held.add(leased, until: later)
        let job = FetchJob(target: try FetchTarget("http://a/"), line: 1, waitingSince: .now)
        var report = FleetReport()
        var seen: Set<HostLease> = []
        for count in [64, 36] {
            let slices = held.hungry(minimum: 2, at: .now)
            #expect(slices.count { !seen.contains($0.key) } == count)
            #expect(held.hasFurtherHungry)
            seen.formUnion(slices.keys)
            let urls = slices.keys.map { lease in
                QueuedURL(
                    host: lease.host,
                    key: "\(lease.host)",
                    position: .start,
                    attempts: 0,
                    url: "http://a/",
                    details: WorkItem(job).text
                )
            }
            // As if more were there.
            _ = held.take(urls, of: [:], report: &report)
        }
        #expect(seen.count == 100)
    }

    @Test("Hosts that wait, and exhausted ones without URLs, need no requests")
    func startableURLsAreCounted() throws {
        var held = held(1, 2, 3)
        var report = FleetReport()
        let details = WorkItem(
            FetchJob(target: try FetchTarget("http://host1/"), line: 1, waitingSince: .now)
        ).text
        let url = QueuedURL(
            host: 1,
            key: "key",
            position: .start,
            attempts: 0,
            url: "http://host1/",
            details: details
        )
        // The first host has one URL and no more, the second has an unknown number, the third waits.
        let items = held.take([url], of: [lease(1): SliceBounds(limit: 2)], report: &report)
        #expect(items.map(\.isFollowed) == [false])
        #expect(held.startable(perHost: 4, perConnection: 4) { $0 == "host3" } == 5)
        #expect(held.startable(perHost: 4, perConnection: 4) { _ in true } == 0)
        _ = held.take([], of: [lease(2): SliceBounds(limit: 2)], report: &report)
        #expect(held.startable(perHost: 4, perConnection: 4) { $0 == "host3" } == 1)
    }

    @Test(
        "Several of a host's last URLs count as one request, so that they share a connection",
        arguments: [
            (1, 4, 1), (4, 4, 1), (5, 4, 2), (10, 4, 3), (24, 4, 6), (100, 4, 6), (100, 40, 3),
        ]
    )
    func lastURLsShareConnections(count: Int, perConnection: Int, startable: Int) throws {
        var held = held(1)
        var report = FleetReport()
        let job = FetchJob(target: try FetchTarget("http://host1/"), line: 1, waitingSince: .now)
        let details = WorkItem(job).text
        let urls = (0..<count).map { number in
            QueuedURL(
                host: 1,
                key: "\(number)",
                position: .start,
                attempts: 0,
                url: "http://host1/",
                details: details
            )
        }
        let items = held.take(urls, of: [lease(1): SliceBounds(limit: count)], report: &report)
        #expect(items.map(\.isFollowed) == Array(repeating: true, count: count))
        func number() -> Int {
            held.startable(perHost: 6, perConnection: perConnection) { _ in false }
        }
        #expect(number() == 6, "more may follow")
        _ = held.take([], of: [lease(1): SliceBounds(limit: count)], report: &report)
        #expect(number() == startable)
    }

    @Test("A further host probably has as many URLs as the last ones")
    func usualHostsAreKnown() {
        var held = HeldHosts()
        #expect(held.usualStartable(perHost: 6, perConnection: 4) == 6)
        for (pending, usual) in [(1, 1), (10, 3), (1000, 6)] {
            let leased = (1...100).map {
                LeasedHost(lease: lease($0), name: "host\($0)", pending: pending, feedback: nil)
            }
            held.add(leased, until: later)
            #expect(held.usualStartable(perHost: 6, perConnection: 4) == usual)
        }
        #expect(held.usualStartable(perHost: 6, perConnection: 500) == 2)
    }

    @Test("An aborted URL has no result, and its host is known")
    func abortedHostIsKnown() throws {
        var held = held(1, 2)
        var report = FleetReport()
        let job = FetchJob(target: try FetchTarget("http://a/"), line: 1, waitingSince: .now)
        let urls = [1, 2].map { host in
            QueuedURL(
                host: host,
                key: "key",
                position: .start,
                attempts: 0,
                url: "http://a/",
                details: WorkItem(job).text
            )
        }
        let items = held.take(
            urls,
            of: [lease(1): SliceBounds(limit: 16), lease(2): SliceBounds(limit: 16)],
            report: &report
        )
        let results = zip(items, [BatchFailure(.cancelled, "ended"), nil]).map { item, failure in
            var result = BatchResult(url: item.url, line: 1)
            result.requestKey = item.ticket
            result.failure = failure
            return result
        }
        held.complete(results, report: &report)
        #expect(report.completions.map(\.lease) == [lease(2)])
        #expect([1, 2].map { held.isAborted(lease($0)) } == [true, false])
        #expect(held.inHand == 0)
    }

    @Test("A renewal without all leases shows that one is lost")
    func missingLeaseIsLost() {
        var held = held(1, 2)
        let isLost = !held.renew([lease(1), lease(2, token: 2)], until: later)
        #expect(isLost)
        #expect(held.contains(lease(2)))
        #expect(!held.contains(lease(2, token: 2)))
        let isRenewed = held.renew(
            [lease(1), lease(2)],
            until: BootTime(nanoseconds: 5_000)
        )
        #expect(isRenewed)
        #expect(held.deadline == BootTime(nanoseconds: 5_000))
    }
    @Test("A worker goes on without a finished host, which it may have given back")
    func finishedHostMayBeMissing() {
        var held = held(1, 2)
        var report = FleetReport()
        _ = held.take([], of: [lease(1): SliceBounds(limit: 10)], report: &report)
        #expect(held.survives([lease(2)], of: [lease(1), lease(2)]))
        #expect(!held.survives([lease(1)], of: [lease(1), lease(2)]))
        let isRenewed = held.renew([lease(2)], until: BootTime(nanoseconds: 5_000))
        #expect(isRenewed)
        #expect(held.leases == [lease(2)])
        #expect(held.deadline == BootTime(nanoseconds: 5_000))
        // A report with the lease of a host that the worker doesn't hold any more.
        #expect(held.survives([], of: [lease(1), lease(2, token: 2)]))
    }
}
