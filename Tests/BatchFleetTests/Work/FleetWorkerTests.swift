import BatchFetch
import TestSupport
import Testing

@testable import BatchFleet

/// Workers that fetch the URLs of a run from servers.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetWorkerTests {
    @Test("Two workers share the hosts of a run, and each URL is requested once")
    func workersShareHosts() async throws {
        let servers = try (0..<4).map { _ in try LoopbackServer { _ in .text("x") } }
        try await FleetFixture.use { fixture in
            let urls = (0..<100).flatMap { number in servers.map { "\($0.url)/\(number)" } }
            try await fixture.add(urls)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["first", "second"] {
                    group.addTask {
                        try await fixture.work(name) { try await $0.work() }
                    }
                }
                try await group.waitForAll()
            }
            let lines = try await fixture.lines()
            #expect(lines.count == 400)
            #expect(lines.allSatisfy { $0.contains("\"ok\":true") })
            #expect(servers.allSatisfy { $0.requestCount == 100 })
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts == FleetCounts(hosts: 4, fetched: 400))
        }
    }

    @Test("A redirect to another host continues in its queue, and a loop of hosts ends")
    func redirectsCrossHosts() async throws {
        let end = try LoopbackServer { _ in .text("end") }
        let target = end.url
        let start = try LoopbackServer { request in .redirect(to: target + request.path) }
        let port = try LoopbackServer { request in
            let host = request.header("Host") ?? ""
            let isName = host.hasPrefix("localhost")
            let number = host.split(separator: ":").last ?? ""
            return .redirect(to: "http://\(isName ? "127.0.0.1" : "localhost"):\(number)/")
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<5).map { "\(start.url)/\($0)" } + ["\(port.url)/"])
            try await fixture.work("worker") { try await $0.work() }
            let lines = try await fixture.lines()
            #expect(lines.count == 6)
            #expect(lines.filter { $0.contains("\"final_url\":\"\(target)/") }.count == 5)
            #expect(lines.filter { $0.contains("\"code\":\"too_many_redirects\"") }.count == 1)
            #expect(end.requestCount == 5)
            // The first request, and twenty redirects.
            #expect(port.requestCount == 21)
        }
    }

    @Test("A retry after a redirect begins at the first host again")
    func retryBeginsAtFirstHost() async throws {
        let count = Watched(0)
        let end = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return number == 1 ? .status(503) : .text("end")
        }
        let target = end.url
        let start = try LoopbackServer { _ in .redirect(to: target + "/") }
        try await FleetFixture.use { fixture in
            try await fixture.add(["\(start.url)/"])
            try await fixture.work("worker") { try await $0.work() }
            let lines = try await fixture.lines()
            #expect(lines.count == 1)
            #expect(lines.first?.contains("\"ok\":true") == true)
            #expect(lines.first?.contains("\"attempts\":2") == true)
            #expect(start.requestCount == 2)
            #expect(end.requestCount == 2)
        }
    }

    @Test("A stopped worker ends its requests and gives its hosts back")
    func stoppedWorkerGivesHostsBack() async throws {
        let (gate, restGate, count) = (Gate(), Gate(), Watched(0))
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return .text("x").after(number <= 2 ? gate : restGate)
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<10).map { "\(server.url)/\($0)" })
            try await fixture.work("first") { worker in
                async let working: Void = worker.work()
                try await server.requests(count: 2)
                worker.stop()
                gate.open()
                try await Inspection.wait {
                    (try? fixture.peer.query("SELECT count(*) FROM batchfetch.result")) == "2"
                }
                // A request that started before the worker noticed the end has no answer.
                worker.cancel()
                try await working
            }
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts == FleetCounts(hosts: 1, pending: 8, fetched: 2))
            restGate.open()
            try await fixture.work("second") { try await $0.work() }
            #expect(try await fixture.lines().count == 10)
            #expect(server.requestCount >= 10)
        }
    }

    @Test("A worker that is stopped while it waits for the database starts no more requests")
    func stoppedWorkerStartsNothing() async throws {
        let (gate, count) = (Gate(), Watched(0))
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return number < 3 ? .text("x") : .text("x").after(gate)
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<10).map { "\(server.url)/\($0)" })
            try fixture.block("INSERT ON batchfetch.result")
            try await fixture.withBlock { _, open in
                try await fixture.work("worker", perHost: 1) { worker in
                    async let working: Void = worker.work()
                    try await server.requests(count: 3)
                    try await fixture.waitForBlocked(1)
                    worker.stop()
                    gate.open()
                    // By then, another request would have started.
                    try await Inspection.wait { worker.summary.progress.fetched >= 3 }
                    try await open()
                    try await working
                }
            }
            #expect(server.requestCount == 3)
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts == FleetCounts(hosts: 1, pending: 7, fetched: 3))
        }
    }

    @Test("A worker of a paused run ends its requests, and continues when the run is resumed")
    func pausedRunIsContinued() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<300).map { "\(server.url)/\($0)" })
            try await fixture.work("worker") { worker in
                async let working: Void = worker.work()
                try await server.requests(count: 2)
                try await fixture.store.set(.paused, of: fixture.run)
                gate.open()
                let isIdle =
                    "SELECT count(*) FROM batchfetch.host WHERE lease_owner IS NULL AND pending > 0"
                try await Inspection.wait { (try? fixture.peer.query(isIdle)) == "1" }
                #expect(try await fixture.store.counts(of: fixture.run).pending > 0)
                try await fixture.store.set(.open, of: fixture.run)
                try await working
            }
            #expect(try await fixture.lines().count == 300)
            #expect(server.requestCount == 300)
        }
    }

    @Test(
        "A worker whose run is dropped ends with the reason, also one that waits for more URLs",
        arguments: [false, true]
    )
    func droppedRunEndsWorker(waits: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<3).map { "\(server.url)/\($0)" })
            var options = FleetWorker.Options(name: "worker")
            options.pollInterval = .milliseconds(20)
            options.leaseDuration = .seconds(1)
            options.waits = waits
            let worker = FleetWorker(
                fixture.store,
                fixture.run,
                BatchConfiguration(),
                options
            )
            async let working: Void = worker.work()
            try await server.requests(count: 1)
            try await fixture.store.drop(fixture.run)
            var failure: (any Error)?
            do {
                try await working
            } catch {
                failure = error
            }
            #expect((failure as? FleetError)?.code == .run)
            #expect((failure as? FleetError)?.message.contains("dropped") == true)
            gate.open()
        }
    }

    @Test(
        "A worker of a run that is being dropped ends with the reason, with or without pending URLs",
        arguments: [0, 3]
    )
    func closedRunEndsWorker(count: Int) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<count).map { "\(server.url)/\($0)" })
            // As between the first and the last transaction of a drop.
            try await fixture.store.set(.closed, of: fixture.run)
            var failure: (any Error)?
            do {
                try await fixture.work("worker") { try await $0.work() }
            } catch {
                failure = error
            }
            #expect((failure as? FleetError)?.code == .run)
            #expect((failure as? FleetError)?.message.contains("being dropped") == true)
            #expect(server.requestCount == 0)
        }
    }

    @Test("A host that has requested a pause gets no request from the next worker either")
    func requestedPauseOutlivesWorker() async throws {
        // A busy machine may take a minute for what follows. At most 120 s are obeyed.
        let server = try LoopbackServer { _ in .status(429).header("Retry-After", "110") }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<3).map { "\(server.url)/\($0)" })
            let isPaused =
                "SELECT count(*) FROM batchfetch.host "
                + "WHERE not_before > now() + interval '30 s' AND lease_owner IS"
            try await fixture.work("first") { worker in
                async let working: Void = worker.work()
                // Stored at once, so that it holds even if the worker is killed now.
                try await Inspection.wait {
                    (try? fixture.peer.query(isPaused + " NOT NULL")) == "1"
                }
                worker.stop()
                try await working
            }
            #expect(try fixture.peer.query(isPaused + " NULL") == "1")
            let wait = try #require(try await fixture.store.nextAvailable(in: fixture.run))
            #expect(wait > .seconds(30))
            #expect(try await fixture.lease(for: 2).isEmpty)
        }
    }

    @Test("A worker survives crashes of the database, and each URL has one result")
    func workerSurvivesCrashes() async throws {
        let server = try LoopbackServer { _ in .text("x").after(.milliseconds(2)) }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<600).map { "\(server.url)/\($0)" })
            try await fixture.work("worker") { worker in
                async let working: Void = worker.work()
                for round in 1...3 {
                    try await server.requests(count: round * 100)
                    try await fixture.peer.crash()
                    try await fixture.peer.restart()
                }
                try await working
            }
            let lines = try await fixture.lines()
            #expect(lines.count == 600)
            #expect(lines.allSatisfy { $0.contains("\"ok\":true") })
        }
    }

    @Test("A worker whose hosts another one has taken stores nothing, and starts again")
    func lostHostIsLeftAlone() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<3).map { "\(server.url)/\($0)" })
            try await fixture.work("first") { worker in
                async let working: Void = worker.work()
                try await server.requests(count: 2)
                let taken = try fixture.peer.query(
                    """
                    UPDATE batchfetch.host SET lease_owner = 99, lease_token = lease_token + 1,
                        lease_until = now() + interval '1 hour',
                        available_at = now() + interval '1 hour'
                    RETURNING id, lease_token
                    """
                )
                let numbers = taken.split(separator: "|").compactMap { Int($0) }
                let other = HostLease(
                    host: try #require(numbers.first),
                    token: try #require(numbers.last)
                )
                gate.open()
                let urls = try await fixture.queue(of: other)
                var report = FleetFixture.report(other, urls, by: 99)
                report.returned = [other]
                #expect(
                    try await fixture.store.accept(report, of: fixture.run, from: 99) == [other]
                )
                try await working
            }
            let lines = try await fixture.lines()
            #expect(lines.count == 3)
            #expect(lines.allSatisfy { $0.hasPrefix("99 ") })
        }
    }
}
