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
        #expect(both == [16: [lease(1): .start, lease(2): .start]])
        var report = FleetReport()
        _ = held.take([], of: [lease(1)], limit: 10, report: &report)
        #expect(held.finished == [lease(1)])
        let other = held.hungry(minimum: 20, at: .now)
        #expect(other[40].map { Array($0.keys) } == [lease(2)])
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
        let items = held.take([url], of: [lease(1)], limit: 1, report: &report)
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
            limits += held.hungry(minimum: 2, at: now).keys
        }
        #expect(limits == [16, 32, 64, 128, 256, 256, 256, 128, 64])
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
        let items = held.take([url], of: [lease(1)], limit: 2, report: &report)
        #expect(items.count == 1)
        #expect(held.startable(perHost: 4) { $0 == "host3" } == 5)
        #expect(held.startable(perHost: 4) { _ in true } == 0)
        _ = held.take([], of: [lease(2)], limit: 2, report: &report)
        #expect(held.startable(perHost: 4) { $0 == "host3" } == 1)
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
        let items = held.take(urls, of: [lease(1), lease(2)], limit: 16, report: &report)
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
        _ = held.take([], of: [lease(1)], limit: 10, report: &report)
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
