import BatchFetch
import TestSupport
import Testing

@testable import BatchFleet

/// What the database says about a run and its workers.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetStatusTests {
    @Test("The status counts URLs and hosts, and names the worker of each host")
    func statusHasCountsAndOwners() async throws {
        try await FleetFixture.use { fixture in
            let store = fixture.store
            _ = try await store.add(FleetFixture.entries("small", 0..<3), to: fixture.run)
            _ = try await store.add(FleetFixture.entries("large", 0..<9), to: fixture.run)
            let worker = try await store.register(worker: "first", for: fixture.run)
            let lease = try #require(try await fixture.lease(for: worker)["large"])
            let urls = try await fixture.queue(of: lease)
            var report = FleetFixture.report(lease, Array(urls.prefix(2)), by: worker)
            let failed = FleetFixture.report(lease, [urls[2]], by: worker, isFetched: false)
            report.completions += failed.completions
            _ = try await store.accept(report, of: fixture.run, from: worker)
            let status = try await store.status(of: fixture.run)
            #expect(status.run == "run" && status.state == .open)
            #expect(
                status.counts
                    == FleetCounts(hosts: 2, pending: 9, fetched: 2, failed: 1, leasedHosts: 2)
            )
            #expect(status.done == 3 && status.total == 12 && !status.isDone)
            #expect(status.waitingHosts == 0)
            let seen = try #require(status.workers.first)
            #expect(status.workers.count == 1)
            #expect(seen.id == worker && seen.name == "first")
            #expect(seen.hosts == 2 && seen.accepted == 3)
            #expect(seen.rate > 0 && seen.rate <= 3)
            #expect(status.remaining != nil)
            #expect(status.slowHosts.map(\.name) == ["large", "small"])
            #expect(status.slowHosts.map(\.pending) == [6, 3])
            #expect(status.slowHosts.map(\.failed) == [1, 0])
            #expect(status.slowHosts.allSatisfy { $0.owner == worker && $0.wait == .zero })
            #expect(status.slowHosts.allSatisfy { !$0.isBroken })
        }
    }

    @Test("A host that has requested a pause stands before one with more URLs")
    func waitingHostIsSlow() async throws {
        try await FleetFixture.use { fixture in
            let store = fixture.store
            _ = try await store.add(FleetFixture.entries("paused", 0..<1), to: fixture.run)
            _ = try await store.add(FleetFixture.entries("large", 0..<9), to: fixture.run)
            let worker = try await store.register(worker: "first", for: fixture.run)
            let leases = try await fixture.lease(for: worker)
            var report = FleetReport()
            report.returned = Array(leases.values)
            report.feedback = [
                FleetReport.Feedback(
                    lease: try #require(leases["paused"]),
                    delay: .seconds(900),
                    state: #"{"breaker":{"isOpen":true}}"#
                )
            ]
            _ = try await store.accept(report, of: fixture.run, from: worker)
            let status = try await store.status(of: fixture.run, hostLimit: 1)
            #expect(status.waitingHosts == 1)
            #expect(status.counts.leasedHosts == 0)
            let host = try #require(status.slowHosts.first)
            #expect(status.slowHosts.count == 1)
            #expect(host.name == "paused" && host.owner == nil && host.isBroken)
            #expect(host.wait > .seconds(600) && host.wait <= .seconds(900))
        }
    }

    @Test("The rate is that of the last minute, and that of a worker which isn't seen is zero")
    func rateIsThatOfLastMinute() async throws {
        try await FleetFixture.use { fixture in
            let store = fixture.store
            let query = { (sql: String) in _ = try fixture.peer.query(sql) }
            let worker = try await store.register(worker: "first", for: fixture.run)
            let renew = { () async throws in
                _ = try await store.renew([], of: fixture.run, for: worker, lasting: .seconds(30))
            }
            try query("UPDATE batchfetch.worker SET accepted = 5000")
            try await renew()
            // Notes are 30 seconds apart: this one changes nothing.
            #expect(try fixture.peer.query("SELECT sampled FROM batchfetch.worker") == "0")
            for accepted in [6000, 6600] {
                try query(
                    """
                    UPDATE batchfetch.worker SET accepted = \(accepted),
                        sampled_at = sampled_at - interval '30 s',
                        earlier_at = earlier_at - interval '30 s'
                    """
                )
                try await renew()
            }
            // 600 results in the 30 seconds since the earlier note, and the time of the test.
            var rate = try await store.status(of: fixture.run).rate
            #expect(rate > 2 && rate <= 20)
            try query("UPDATE batchfetch.worker SET seen_at = now() - interval '2 minutes'")
            let unseen = try await store.status(of: fixture.run)
            rate = unseen.rate
            #expect(rate == 0)
            #expect(unseen.workers.first.map { $0.unseen >= .seconds(120) } == true)
            try query("UPDATE batchfetch.worker SET seen_at = now() - interval '11 minutes'")
            #expect(try await store.status(of: fixture.run).workers.isEmpty)
        }
    }

    @Test("A worker is seen every 10 seconds, or more often if its leases are short")
    func workerIsSeenOften() {
        var options = FleetWorker.Options(name: "worker")
        for (lease, interval) in [(1.5, 0.5), (30, 10), (3600, 10)] {
            options.leaseDuration = .seconds(lease)
            #expect(options.renewalInterval == .seconds(interval))
        }
    }

    @Test("A worker that waits for hosts is seen")
    func idleWorkerIsSeen() async throws {
        try await FleetFixture.use { fixture in
            var options = FleetWorker.Options(name: "idle")
            options.leaseDuration = .milliseconds(300)
            options.pollInterval = .milliseconds(20)
            options.waits = true
            let connection = try PostgresConnection(PostgresOptions(address: fixture.peer.address))
            defer { connection.close() }
            let worker = FleetWorker(
                FleetStore(connection),
                fixture.run,
                BatchConfiguration(),
                options
            )
            async let working: Void = worker.work()
            let isSeen = "SELECT count(*) FROM batchfetch.worker WHERE seen_at > started_at"
            try await Inspection.wait { (try? fixture.peer.query(isSeen)) == "1" }
            worker.stop()
            try await working
            #expect(worker.figures.renewals > 0)
            #expect(worker.figures.leaseLosses == 0)
        }
    }

    @Test("The status of a dropped run is an error")
    func droppedRunHasNoStatus() async throws {
        try await FleetFixture.use { fixture in
            try await fixture.store.drop(fixture.run)
            var failure: FleetError?
            do throws(FleetError) {
                _ = try await fixture.store.status(of: fixture.run)
            } catch {
                failure = error
            }
            #expect(failure?.code == .run)
            #expect(failure?.message.contains("dropped") == true)
        }
    }
}
