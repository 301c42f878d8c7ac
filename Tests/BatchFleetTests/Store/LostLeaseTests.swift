import TestSupport
import Testing

@testable import BatchFleet

/// What the database knows about leases that were lost, and their URLs.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct LostLeaseTests {
    /// Leases the host of a run, after the last lease has ended.
    private func next(_ fixture: FleetFixture) async throws -> LeasedHost {
        try fixture.endLeases()
        let hosts = try await fixture.store.lease(
            9,
            of: fixture.run,
            for: 1,
            lasting: .seconds(60)
        )
        return try #require(hosts.first)
    }

    private func giveBack(_ host: LeasedHost, _ fixture: FleetFixture) async throws {
        var report = FleetReport()
        report.returned = [host.lease]
        #expect(
            try await fixture.store.accept(report, of: fixture.run, from: 1) == [host.lease]
        )
    }

    @Test("Leases that end without a return are counted, until the host is given back")
    func lostLeasesAreCounted() async throws {
        try await FleetFixture.use { fixture in
            _ = try await fixture.store.add(FleetFixture.entries("a", 0..<1), to: fixture.run)
            for losses in 0..<3 {
                #expect(try await next(fixture).losses == losses)
            }
            let last = try await next(fixture)
            #expect(last.losses == 3)
            try await giveBack(last, fixture)
            let new = try await next(fixture)
            #expect(new.losses == 0)
            #expect(try await next(fixture).losses == 1)
        }
    }

    @Test("A URL counts each lost lease in which it was noted once, and none after a return")
    func notedURLsAreCounted() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<2), to: run)
            let key = FleetFixture.key(0)
            var old: HostLease?
            for losses in 0..<3 {
                let host = try await next(fixture)
                #expect(try await fixture.queue(of: host.lease).map(\.losses) == [losses, 0])
                // The second has no effect, as after a lost answer.
                for _ in 0..<2 {
                    let held = try await store.noteTaken([(host.lease, key)], of: run)
                    #expect(held == [host.lease])
                }
                #expect(try await fixture.queue(of: host.lease).map(\.losses) == [losses, 0])
                if let old {
                    #expect(try await store.noteTaken([(old, key)], of: run).isEmpty)
                }
                old = host.lease
            }
            let last = try await next(fixture)
            #expect(try await fixture.queue(of: last.lease).map(\.losses) == [3, 0])
            try await giveBack(last, fixture)
            let new = try await next(fixture)
            #expect(try await fixture.queue(of: new.lease).map(\.losses) == [0, 0])
            _ = try await store.noteTaken([(new.lease, key)], of: run)
            let newest = try await next(fixture)
            #expect(try await fixture.queue(of: newest.lease).map(\.losses) == [1, 0])
        }
    }

    @Test("A failed URL that is queued again has no lost leases")
    func retriedURLBeginsAgain() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<1), to: run)
            let first = try await next(fixture)
            _ = try await store.noteTaken([(first.lease, FleetFixture.key(0))], of: run)
            let second = try await next(fixture)
            let urls = try await fixture.queue(of: second.lease)
            #expect(urls.map(\.losses) == [1])
            let report = FleetFixture.report(second.lease, urls, by: 1, isFetched: false)
            _ = try await store.accept(report, of: run, from: 1)
            // The token of the lost lease stays.
            #expect(try await store.retryFailed(run) == 1)
            let third = try await next(fixture)
            #expect(third.losses == 2)
            #expect(try await fixture.queue(of: third.lease).map(\.losses) == [0])
        }
    }

    @Test("A worker fails a URL that has ended others, and fetches the rest of the host")
    func workerFailsPoison() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await FleetFixture.use { fixture in
            let urls = (0..<5).map { "\(server.url)/\($0)" }
            try await fixture.add(urls)
            _ = try await next(fixture)
            for _ in 0..<3 {
                let host = try await next(fixture)
                let queue = try await fixture.queue(of: host.lease)
                let poison = try #require(queue.first { $0.url == urls[2] })
                _ = try await fixture.store.noteTaken(
                    [(host.lease, poison.key)],
                    of: fixture.run
                )
            }
            try fixture.endLeases()
            try await fixture.work("worker") { try await $0.work() }
            let lines = try await fixture.lines()
            #expect(lines.count == 5)
            #expect(lines.filter { $0.contains("\"ok\":true") }.count == 4)
            let failed = try #require(lines.first { $0.contains("worker_ended") })
            #expect(failed.contains(urls[2]), "\(failed)")
            #expect(server.requestCount == 4)
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts == FleetCounts(hosts: 1, fetched: 4, failed: 1))
        }
    }
}
