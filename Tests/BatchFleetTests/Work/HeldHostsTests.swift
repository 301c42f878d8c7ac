import BatchFetch
import Posix
import Testing

@testable import BatchFleet

/// What a worker knows about its hosts and URLs, without a database.
@Suite struct HeldHostsTests {
    private let later = MonotonicTime(nanoseconds: 1_000)

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
        #expect(held.hungry(limit: 10) == [lease(1): .start, lease(2): .start])
        var report = FleetReport()
        _ = held.take([], of: [lease(1)], limit: 10, report: &report)
        #expect(held.finished == [lease(1)])
        #expect(Array(held.hungry(limit: 10).keys) == [lease(2)])
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
        let taken = held.take([url], of: [lease(1)], limit: 1, report: &report)
        #expect(taken.isEmpty)
        let completion = try #require(report.completions.first)
        #expect(completion.key == "key")
        #expect(!completion.isFetched)
        #expect(completion.line.contains("\"url\":\"http://a/\""))
        #expect(held.inHand == 0)
    }

    @Test("A renewal without all leases shows that one is lost")
    func missingLeaseIsLost() {
        var held = held(1, 2)
        let hasLost = !held.renew([lease(1), lease(2, token: 2)], until: later)
        #expect(hasLost)
        let hasAll = held.renew([lease(1), lease(2)], until: MonotonicTime(nanoseconds: 5_000))
        #expect(hasAll)
        #expect(held.deadline == MonotonicTime(nanoseconds: 5_000))
    }
}
