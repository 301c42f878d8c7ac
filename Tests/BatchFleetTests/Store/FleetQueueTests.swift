import BatchFetch
import TestSupport
import Testing

@testable import BatchFleet

/// Leases and results, also of workers that have ended.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetQueueTests {
    @Test("A host is leased by one worker, and in a paused run by none")
    func hostHasOneOwner() async throws {
        try await FleetFixture.use { fixture in
            let store = fixture.store
            for host in ["a", "b", "c"] {
                _ = try await store.add(FleetFixture.entries(host, 0..<2), to: fixture.run)
            }
            try await store.set(.paused, of: fixture.run)
            #expect(try await fixture.lease(for: 1).isEmpty)
            try await store.set(.open, of: fixture.run)
            let first = try await store.lease(2, of: fixture.run, for: 1, lasting: .seconds(60))
            #expect(first.count == 2)
            #expect(first.allSatisfy { $0.pending == 2 && $0.feedback == nil })
            let second = try await fixture.lease(for: 2)
            #expect(Set(first.map(\.name) + second.keys) == ["a", "b", "c"])
            #expect(try await fixture.lease(for: 3).isEmpty)
            let counts = try await store.counts(of: fixture.run)
            #expect(counts == FleetCounts(hosts: 3, pending: 6, leasedHosts: 3))
            let wait = try #require(try await store.nextAvailable(in: fixture.run))
            #expect(wait > .seconds(30) && wait <= .seconds(62))
            // Owners get no more URLs either, so they give the hosts back.
            let lease = try #require(first.first?.lease)
            #expect(try await fixture.queue(of: lease).count == 2)
            for state in [FleetRun.State.paused, .closed] {
                try await store.set(state, of: fixture.run)
                #expect(try await fixture.queue(of: lease).isEmpty)
            }
        }
    }

    @Test("A worker whose lease has ended can't store results, nor renew it")
    func endedLeaseIsFenced() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<3), to: run)
            let first = try await store.register(worker: "first", for: run)
            let second = try await store.register(worker: "second", for: run)
            let old = try #require(try await fixture.lease(for: first)["a"])
            let urls = try await fixture.queue(of: old)
            #expect(urls.map(\.url) == ["http://a/0", "http://a/1", "http://a/2"])
            // As long as no other worker has the host, the token holds.
            let early = FleetFixture.report(old, [urls[0]], by: first)
            #expect(try await store.accept(early, of: run, from: first) == [old])
            try fixture.endLeases()
            let new = try #require(try await fixture.lease(for: second)["a"])
            #expect(new.host == old.host)
            #expect(new.token > old.token)
            var late = FleetFixture.report(old, urls, by: first)
            late.returned = [old]
            late.feedback = [FleetReport.Feedback(lease: old, delay: .seconds(600), state: "old")]
            #expect(try await store.accept(late, of: run, from: first).isEmpty)
            #expect(
                try await store.renew([old], of: run, for: first, lasting: .seconds(60)).isEmpty
            )
            #expect(try await fixture.queue(of: old).isEmpty)
            #expect(
                try await store.renew([new, old], of: run, for: second, lasting: .seconds(60))
                    == [new]
            )
            let rest = try await fixture.queue(of: new)
            #expect(rest.map(\.url) == ["http://a/1", "http://a/2"])
            let report = FleetFixture.report(new, rest, by: second)
            #expect(try await store.accept(report, of: run, from: second) == [new])
            let lines = ["\(first) http://a/0", "\(second) http://a/1", "\(second) http://a/2"]
            #expect(try await fixture.lines() == lines.sorted())
            #expect(try await store.nextAvailable(in: run) == nil)
        }
    }

    @Test("The next owner of a dead worker's host waits for the host's minimum interval, too")
    func deadWorkerLeavesInterval() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<1), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let held = try await store.renew(
                [lease],
                of: run,
                for: 1,
                lasting: .seconds(10),
                intervals: [lease: .seconds(200)]
            )
            #expect(held == [lease])
            let wait = try #require(try await store.nextAvailable(in: run))
            #expect(wait > .seconds(180) && wait <= .seconds(210))
        }
    }

    @Test("A repeated report has no further effect")
    func firstResultStays() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<2), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let urls = try await fixture.queue(of: lease)
            let report = FleetFixture.report(lease, urls, by: 1)
            #expect(try await store.accept(report, of: run, from: 1) == [lease])
            #expect(try await store.accept(report, of: run, from: 1) == [lease])
            let other = FleetFixture.report(lease, urls, by: 2, isFetched: false)
            #expect(try await store.accept(other, of: run, from: 2) == [lease])
            #expect(try await fixture.lines() == ["1 http://a/0", "1 http://a/1"])
            let counts = try await store.counts(of: run)
            #expect(counts == FleetCounts(hosts: 1, fetched: 2, leasedHosts: 1))
        }
    }

    @Test("A slice continues after the last URL, and a new owner starts again")
    func sliceContinues() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let (a, b) = try await fixture.leaseTwo(5, 1)
            let first = try await store.slice([a: SliceBounds(limit: 1), b: SliceBounds(limit: 2)])
            #expect(first.map(\.url).sorted() == ["http://a/0", "http://b/0"])
            let last = try #require(first.last { $0.host == a.host })
            let bounds = SliceBounds(position: last.position, limit: 3)
            let second = try await store.slice([a: bounds])
            #expect(second.map(\.url) == ["http://a/1", "http://a/2", "http://a/3"])
            var report = FleetReport()
            report.returned = [a]
            #expect(try await store.accept(report, of: run, from: 1) == [a])
            let again = try #require(try await fixture.lease(for: 2)["a"])
            #expect(try await fixture.queue(of: again).count == 5)
        }
    }

    @Test("Hosts that have to wait are leased by none until the database's clock says so")
    func waitingHostIsNotLeased() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("retry", 0..<1), to: run)
            _ = try await store.add(FleetFixture.entries("pause", 0..<1), to: run)
            let leases = try await fixture.lease(for: 1)
            let retry = try #require(leases["retry"])
            let pause = try #require(leases["pause"])
            var report = FleetReport()
            report.postponements = [
                FleetReport.Postponement(
                    lease: retry,
                    key: FleetFixture.key(0),
                    attempts: 1,
                    delay: .seconds(100),
                    details: "again"
                )
            ]
            report.feedback = [
                FleetReport.Feedback(lease: pause, delay: .seconds(200), state: "{\"limit\":2}")
            ]
            report.returned = [retry, pause]
            #expect(try await store.accept(report, of: run, from: 1) == [retry, pause])
            #expect(try await fixture.lease(for: 2).isEmpty)
            let wait = try #require(try await store.nextAvailable(in: run))
            #expect(wait > .seconds(50) && wait <= .seconds(100))
            // More URLs don't shorten the pause that a host demands.
            _ = try await store.add(FleetFixture.entries("pause", 1..<2), to: run)
            #expect(try await fixture.lease(for: 2).isEmpty)
            _ = try fixture.peer.query(
                "UPDATE batchfetch.url SET due = '-infinity'; "
                    + "UPDATE batchfetch.host SET available_at = '-infinity'"
            )
            let hosts = try await store.lease(9, of: run, for: 2, lasting: .seconds(60))
            let states = Dictionary(uniqueKeysWithValues: hosts.map { ($0.name, $0.feedback) })
            #expect(states == ["retry": nil, "pause": "{\"limit\":2}"])
            let next = try #require(hosts.first { $0.name == "retry" })
            let url = try #require(try await fixture.queue(of: next.lease).first)
            #expect(url.attempts == 1)
            #expect(url.details == "again")
        }
    }

    @Test("A redirect continues in the target's queue, and its result is that of its first URL")
    func redirectContinuesAtTarget() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<1), to: run)
            var lease = try #require(try await fixture.lease(for: 1)["a"])
            // To a host without URLs of its own, and back.
            for (hop, target) in ["b", "a"].enumerated() {
                let url = try #require(try await fixture.queue(of: lease).first)
                var report = FleetReport()
                report.moves = [
                    FleetReport.Move(
                        lease: lease,
                        key: url.key,
                        target: target,
                        url: "http://\(target)/hop\(hop)",
                        details: "hops: \(hop + 1)"
                    )
                ]
                report.returned = [lease]
                #expect(try await store.accept(report, of: run, from: 1) == [lease])
                // The same line of the list isn't queued again meanwhile.
                #expect(try await store.add(FleetFixture.entries("a", 0..<1), to: run) == 0)
                let leases = try await fixture.lease(for: 1)
                #expect(leases.count == 1)
                lease = try #require(leases[target])
            }
            let url = try #require(try await fixture.queue(of: lease).first)
            #expect(url.url == "http://a/hop1")
            #expect(url.details == "hops: 2")
            let report = FleetFixture.report(lease, [url], by: 1, isFetched: false)
            #expect(try await store.accept(report, of: run, from: 1) == [lease])
            #expect(try await fixture.lines() == ["1 http://a/hop1"])
            var counts = try await store.counts(of: run)
            #expect(counts == FleetCounts(hosts: 2, failed: 1, leasedHosts: 1))
            #expect(try await store.retryFailed(run) == 1)
            counts = try await store.counts(of: run)
            #expect(counts == FleetCounts(hosts: 2, pending: 1, leasedHosts: 1))
            #expect(try await fixture.queue(of: lease).map(\.url) == ["http://a/0"])
        }
    }

    @Test("One report has results of a host's own URLs and of those that redirects led to it")
    func reportHasBothKindsOfURLs() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let (a, b) = try await fixture.leaseTwo(1, 2)
            let url = try #require(try await fixture.queue(of: a).first)
            #expect(url.place != nil)
            var report = FleetReport()
            report.moves = [
                FleetReport.Move(lease: a, key: url.key, target: "b", url: "http://b/moved")
            ]
            #expect(try await store.accept(report, of: run, from: 1) == [a])
            let urls = try await fixture.queue(of: b)
            let kinds = Dictionary(uniqueKeysWithValues: urls.map { ($0.url, $0.place != nil) })
            #expect(kinds == ["http://b/0": true, "http://b/1": true, "http://b/moved": false])
            report = FleetFixture.report(b, urls, by: 1)
            for _ in 0..<2 { #expect(try await store.accept(report, of: run, from: 1) == [b]) }
            #expect(
                try await fixture.lines() == ["1 http://b/0", "1 http://b/1", "1 http://b/moved"]
            )
            let counts = try await store.counts(of: run)
            #expect(counts == FleetCounts(hosts: 2, fetched: 3, leasedHosts: 2))
        }
    }

    @Test(
        "A result is stored if its URL's row is elsewhere in the table",
        arguments: [false, true]
    )
    func movedRowsAreFound(isRewritten: Bool) async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<6), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            var urls = try await fixture.queue(of: lease)
            if isRewritten {
                let first = "key = '\(urls[0].key)'"
                _ = try fixture.peer.query("DELETE FROM batchfetch.url WHERE \(first)")
                _ = try fixture.peer.query("VACUUM FULL batchfetch.url")
                let places = try await fixture.queue(of: lease).map(\.place)
                #expect(places == urls.dropLast().map(\.place))
                urls.removeFirst()
            } else {
                // Those of the next URLs, one that was never in use, and that of no row.
                let places = urls.dropFirst(3).map(\.place) + ["(99,1)", "(0,0)"]
                for (index, place) in places.enumerated() { urls[index + 1].place = place }
            }
            let report = FleetFixture.report(lease, urls, by: 1)
            for _ in 0..<2 { #expect(try await store.accept(report, of: run, from: 1) == [lease]) }
            #expect(try await fixture.lines() == urls.map { "1 \($0.url)" })
            #expect(try fixture.peer.query("SELECT count(*) FROM batchfetch.url") == "0")
        }
    }

    @Test("The next owner gets the rules of robots.txt until they are too old")
    func rulesPassToNextOwner() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<1), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let text = "{\"crawlDelay\":2,\"rules\":[\"-/x\"],\"token\":\"batchfetch\"}"
            var report = FleetReport()
            report.feedback = [
                FleetReport.Feedback(
                    lease: lease,
                    delay: .zero,
                    robots: text,
                    robotsLifetime: .seconds(1000)
                )
            ]
            #expect(try await store.accept(report, of: run, from: 1) == [lease])
            // The first owner dies.
            try fixture.endLeases()
            let hosts = try await store.lease(9, of: run, for: 2, lasting: .seconds(60))
            let host = try #require(hosts.first)
            #expect(host.robots?.text == text)
            #expect(host.crawlDelay == .seconds(2))
            let lifetime = try #require(host.robots?.lifetime)
            #expect(lifetime > .seconds(500) && lifetime <= .seconds(1000))
            // The second has nothing new.
            var other = FleetReport()
            other.feedback = [FleetReport.Feedback(lease: host.lease, delay: .zero, state: "x")]
            other.returned = [host.lease]
            #expect(try await store.accept(other, of: run, from: 2) == [host.lease])
            _ = try fixture.peer.query("UPDATE batchfetch.host SET robots_until = now()")
            let last = try await store.lease(9, of: run, for: 3, lasting: .seconds(60))
            #expect(last.map(\.feedback) == ["x"])
            #expect(last.map(\.robots) == [nil])
        }
    }
}
