import TestSupport
import Testing

@testable import BatchFleet

/// Runs, their lists, and loads with failures.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetStoreTests {
    private func failure(_ body: () async throws(FleetError) -> Void) async -> FleetError? {
        do throws(FleetError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("A run is found by its name, which no other run has")
    func runHasItsName() async throws {
        try await FleetFixture.use { fixture in
            let store = fixture.store
            let found = try await store.run("run")
            #expect(found == fixture.run)
            let taken = await failure { () async throws(FleetError) in
                try await store.create("run", options: "")
            }
            #expect(taken?.code == .run)
            let missing = await failure { () async throws(FleetError) in
                _ = try await store.run("other")
            }
            #expect(missing?.code == .run)
            #expect(missing?.message.contains("“other”") == true)
        }
    }

    @Test("Overlapping lists that are added at once leave each URL once")
    func overlappingListsAreJoined() async throws {
        try await FleetFixture.use { fixture in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for start in 0..<6 {
                    group.addTask {
                        let connection = try PostgresConnection(
                            PostgresOptions(address: fixture.peer.address)
                        )
                        defer { connection.close() }
                        let store = FleetStore(connection)
                        var count = 0
                        // The hosts come in another order each time.
                        for host in 0..<6 {
                            let name = "host\((host * 5 + start) % 6)"
                            let numbers = (start * 100)..<(start * 100 + 300)
                            let entries = FleetFixture.entries(name, numbers)
                            count += try await store.add(entries + entries, to: fixture.run)
                        }
                        return count
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 }
            }
            #expect(counts == 6 * 800)
            let total = try await fixture.store.counts(of: fixture.run)
            #expect(total == FleetCounts(hosts: 6, pending: 6 * 800))
        }
    }

    @Test("Failed URLs are queued again while a worker stores results of the same hosts")
    func failedURLsLockHostsInOrder() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let targets = ["b", "c", "d", "e", "f", "g", "h"]
            for host in ["a"] + targets {
                _ = try await store.add(FleetFixture.entries(host, 0..<1), to: run)
            }
            // Failed URLs of the host a, each of which counts at a redirect's target.
            for (number, target) in targets.enumerated() {
                let key = FleetFixture.key(number + 1)
                let answeredBy =
                    "FROM batchfetch.host AS home, batchfetch.host AS target "
                    + "WHERE home.name = 'a' AND target.name = '\(target)'"
                _ = try fixture.peer.query(
                    "INSERT INTO batchfetch.url (host, key, state, url) "
                        + "SELECT home.id, '\(key)', 2, 'http://a/' " + answeredBy
                )
                _ = try fixture.peer.query(
                    "INSERT INTO batchfetch.result (host, key, answered_by, worker, line) "
                        + "SELECT home.id, '\(key)', target.id, 1, 'line' " + answeredBy
                )
                _ = try fixture.peer.query(
                    "UPDATE batchfetch.host SET failed = 1 WHERE name = '\(target)'"
                )
            }
            let worker = try PostgresConnection(PostgresOptions(address: fixture.peer.address))
            defer { worker.close() }
            let gate = try PostgresConnection(PostgresOptions(address: fixture.peer.address))
            defer { gate.close() }
            _ = try await gate.run(PostgresStatement("SELECT pg_advisory_lock(1)")())
            // Locks hosts in the order of their names, as reports do, with a pause after the first.
            async let reported = worker.run(
                PostgresStatement(
                    "SELECT FROM batchfetch.host WHERE name = 'a' FOR NO KEY UPDATE"
                )(),
                PostgresStatement("SELECT pg_advisory_xact_lock(1)")(),
                PostgresStatement(
                    "SELECT FROM batchfetch.host ORDER BY name FOR NO KEY UPDATE"
                )()
            )
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            try await Inspection.wait { (try? fixture.peer.query(waiting)) == "1" }
            async let queued = store.retryFailed(run)
            try await Inspection.wait { (try? fixture.peer.query(waiting)) == "2" }
            _ = try await gate.run(PostgresStatement("SELECT pg_advisory_unlock(1)")())
            #expect(try await reported.count == 3)
            #expect(try await queued == targets.count)
            let counts = try await store.counts(of: run)
            #expect(counts == FleetCounts(hosts: 8, pending: 8 + targets.count))
        }
    }

    @Test("The results of many hosts are exported, and failed URLs of all are queued again")
    func manyHostsAreHandledTogether() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let entries = (0..<70).flatMap { FleetFixture.entries("host\($0)", 0..<9) }
            #expect(try await store.add(entries, to: run) == 630)
            let leases = try await fixture.lease(for: 1)
            #expect(leases.count == 70)
            for lease in leases.values {
                let urls = try await fixture.queue(of: lease)
                let report = FleetFixture.report(lease, urls, by: 1, isFetched: false)
                _ = try await store.accept(report, of: run, from: 1)
            }
            let lines = entries.map { "1 \($0.url)" }
            #expect(try await fixture.lines() == lines.sorted())
            #expect(try await store.retryFailed(run) == 630)
            #expect(try await fixture.lines().isEmpty)
            #expect(try await store.counts(of: run).pending == 630)
            try await store.drop(run)
            #expect(try fixture.peer.query("SELECT count(*) FROM batchfetch.url") == "0")
        }
    }

    @Test("A URL that was fetched or has failed isn't added again")
    func completedURLsAreKnown() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<4), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let urls = try await fixture.queue(of: lease)
            var report = FleetFixture.report(lease, Array(urls.prefix(2)), by: 1)
            report.completions.append(
                FleetReport.Completion(
                    lease: lease,
                    key: urls[2].key,
                    isFetched: false,
                    line: "failed",
                    place: urls[2].place
                )
            )
            _ = try await store.accept(report, of: run, from: 1)
            #expect(try await store.add(FleetFixture.entries("a", 0..<6), to: run) == 2)
            let counts = try await store.counts(of: run)
            #expect(
                counts == FleetCounts(hosts: 1, pending: 3, fetched: 2, failed: 1, leasedHosts: 1)
            )
            let states = "SELECT string_agg(state::text, ',' ORDER BY state) FROM batchfetch.url"
            #expect(try fixture.peer.query(states) == "0,0,0,2")
        }
    }

    @Test(
        "A URL that is added while its result is stored isn't queued again",
        arguments: [false, true]
    )
    func addedURLsWaitForResults(isRedirected: Bool) async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let entries = FleetFixture.entries("a", 0..<1)
            _ = try await store.add(entries, to: run)
            var lease = try #require(try await fixture.lease(for: 1)["a"])
            if isRedirected {
                let report = FleetFixture.redirect(lease, to: "b")
                _ = try await store.accept(report, of: run, from: 1)
                lease = try #require(try await fixture.lease(for: 1)["b"])
            }
            let urls = try await fixture.queue(of: lease)
            try fixture.block("INSERT ON batchfetch.result")
            try await fixture.withBlock { other, open in
                let report = FleetFixture.report(lease, urls, by: 1)
                async let held = store.accept(report, of: run, from: 1)
                try await fixture.waitForBlocked(1)
                async let added = other.add(entries, to: run)
                // For the host, or for the row of a redirected URL.
                try await fixture.waitForBlocked(2)
                try await open()
                #expect(try await held == [lease])
                #expect(try await added == 0)
            }
            let counts = try await store.counts(of: run)
            #expect(counts.pending == 0 && counts.fetched == 1)
            #expect(try await store.add(entries, to: run) == 0)
        }
    }

    @Test("A closed run takes no URLs and isn't resumed, and a dropped one leaves no rows")
    func droppedRunLeavesNothing() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            let kept = try await store.create("kept", options: "{}")
            for run in [run, kept] {
                _ = try await store.add(FleetFixture.entries("a", 0..<3), to: run)
            }
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let urls = try await fixture.queue(of: lease)
            let report = FleetFixture.report(lease, Array(urls.prefix(2)), by: 1)
            _ = try await store.accept(report, of: run, from: 1)
            try await store.set(.closed, of: run)
            let closed = await failure { () async throws(FleetError) in
                _ = try await store.add(FleetFixture.entries("b", 0..<1), to: run)
            }
            #expect(closed?.message.contains("being dropped") == true)
            let resumed = await failure { () async throws(FleetError) in
                try await store.set(.open, of: run)
            }
            #expect(resumed?.message.contains("being dropped") == true)
            #expect(try await store.counts(of: run).hosts == 1)
            try await store.drop(run)
            let missing = await failure { () async throws(FleetError) in
                _ = try await store.run("run")
            }
            #expect(missing?.code == .run)
            let rows =
                "SELECT (SELECT count(*) FROM batchfetch.url), "
                + "(SELECT count(*) FROM batchfetch.result), (SELECT count(*) FROM batchfetch.host)"
            #expect(try fixture.peer.query(rows) == "3|0|1")
            #expect(try await store.counts(of: kept).pending == 3)
        }
    }

    @Test("Each URL has one result, though workers are lost and the database crashes")
    func eachURLHasOneResult() async throws {
        try await FleetFixture.use { fixture in
            for host in 0..<20 {
                let entries = FleetFixture.entries("host\(host)", 0..<100)
                _ = try await fixture.store.add(entries, to: fixture.run)
            }
            let reported = Watched(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        try await Self.work(worker, in: fixture) { count in
                            reported.update { $0 += count }
                        }
                    }
                }
                for round in 1...3 {
                    _ = try await reported.wait { $0 > round * 400 ? true : nil }
                    try await fixture.peer.crash()
                    try await fixture.peer.restart()
                }
                try await group.waitForAll()
            }
            let lines = try await fixture.lines().map { $0.split(separator: " ").last ?? "" }
            #expect(lines.count == 2000)
            #expect(Set(lines).count == 2000)
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts.pending == 0)
            #expect(counts.fetched == 2000)
        }
    }

    /// Works until no URL is pending. Each third lease is forgotten, as by a worker that is killed.
    ///
    /// A worker that finds no host, or no server, ends all leases, also those of the others: their
    /// reports are refused then.
    private static func work(
        _ worker: Int,
        in fixture: FleetFixture,
        _ reported: (Int) -> Void
    ) async throws {
        let connection = try PostgresConnection(PostgresOptions(address: fixture.peer.address))
        defer { connection.close() }
        let store = FleetStore(connection)
        var turn = 0
        while true {
            var isIdle = true
            do throws(FleetError) {
                let hosts = try await store.lease(
                    2,
                    of: fixture.run,
                    for: worker,
                    lasting: .seconds(600)
                )
                isIdle = hosts.isEmpty
                for host in hosts {
                    turn += 1
                    let urls = try await store.slice([host.lease: SliceBounds(limit: 20)])
                    if turn % 3 == 0 { continue }
                    var report = FleetFixture.report(host.lease, urls, by: worker)
                    report.returned = [host.lease]
                    _ = try await store.accept(report, of: fixture.run, from: worker)
                    reported(urls.count)
                }
                if try await store.nextAvailable(in: fixture.run) == nil { return }
            } catch {
                guard error.isTemporary else { throw error }
            }
            if isIdle {
                try await NativeThread.run { _ = try? fixture.endLeases() }
            }
        }
    }
}
