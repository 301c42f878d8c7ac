import TestSupport
import Testing

@testable import BatchFetchCommand

/// `batchfetch fleet` with a real database and server.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetCommandTests {
    private func fleet(
        _ arguments: [String],
        of peer: PostgresPeer
    ) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["fleet"] + arguments + ["--queue", peer.address])
    }

    @Test("A run is created, filled, fetched by two workers, exported and dropped")
    func runIsFetched() async throws {
        let peer = try await PostgresPeer.start()
        let server = try LoopbackServer { request in
            request.path == "/missing" ? .status(404) : .text("page \(request.path)")
        }
        let folder = try TemporaryDirectory()
        let urls = (0..<50).map { "\(server.url)/\($0)" } + ["\(server.url)/missing"]
        let list = try folder.write(urls.joined(separator: "\n") + "\n", to: "list")
        let output = folder.path("pages")
        #expect(try await fleet(["create", "may", "--output", output], of: peer).status == 0)
        let added = try await fleet(["add", "may", list], of: peer)
        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output == "may: 51 added, 0 known already\n")
        let again = try await fleet(["add", "may", list], of: peer)
        #expect(again.output == "may: 0 added, 51 known already\n")
        async let first = fleet(["work", "may", "--concurrency", "8"], of: peer)
        async let second = fleet(["work", "may", "--concurrency", "8"], of: peer)
        for ending in [try await first, try await second] {
            #expect(ending.status == 1, "\(ending.errors)")
        }
        #expect(server.requestCount == 51)
        #expect(try TemporaryDirectory.files(in: output).count == 50)
        let status = try await fleet(["status", "may", "--json"], of: peer)
        #expect(
            status.output.hasPrefix(
                #"{"failed":1,"fetched":50,"hosts":1,"leased_hosts":0,"pending":0,"#
            ),
            "\(status.output)"
        )
        #expect(status.output.contains(#""slow_hosts":[],"state":"open","total":51,"#))
        let results = try await fleet(["export", "may"], of: peer)
        let lines = try ResultLine.lines(results.output)
        #expect(Set(lines.map(\.url)) == Set(urls))
        let page = folder.path("report.html")
        let report = try await CommandRun.ending(
            ["report", "-", "--output", page, "--title", "May"],
            input: results.output
        )
        #expect(report.status == 0 && report.errors.isEmpty, "\(report)")
        #expect(report.output == "\(page): 50 fetched, 1 failed\n")
        let html = String(decoding: try folder.read("report.html"), as: UTF8.self)
        // The hosts and the plots over time need the URLs and times of both workers.
        #expect(html.contains("Outcomes of 51 URLs"))
        #expect(html.contains("status 404") && html.contains("127.0.0.1:\(server.port)"))
        #expect(lines.allSatisfy { $0.started_at != nil && $0.t.total != nil })
        let retried = try await fleet(["retry-failed", "may"], of: peer)
        #expect(retried.output == "1 URL is queued again\n")
        #expect(try await fleet(["drop", "may"], of: peer).status == 0)
        let missing = try await fleet(["status", "may"], of: peer)
        #expect(missing.status == 2)
        #expect(missing.errors.contains("there is no run “may”"))
        peer.stop()
    }

    @Test("Workers write archives whose names don't clash")
    func archivesOfWorkersHaveTheirNames() async throws {
        let peer = try await PostgresPeer.start()
        let servers = try (0..<4).map { _ in
            try LoopbackServer { request in .text("page \(request.path)") }
        }
        let folder = try TemporaryDirectory()
        let urls = servers.flatMap { server in (0..<10).map { "\(server.url)/\($0)" } }
        let list = try folder.write(urls.joined(separator: "\n") + "\n", to: "list")
        let output = folder.path("shards")
        let options = ["--output", output, "--tar", "7"]
        #expect(try await fleet(["create", "may"] + options, of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        async let first = fleet(["work", "may"], of: peer)
        async let second = fleet(["work", "may"], of: peer)
        for ending in [try await first, try await second] {
            #expect(ending.status == 0, "\(ending.errors)")
        }
        let lines = try ResultLine.lines(try await fleet(["export", "may"], of: peer).output)
        #expect(Set(lines.map(\.url)) == Set(urls))
        let files = try TemporaryDirectory.files(in: output)
        let places = lines.compactMap { line in line.shard.map { "\($0) \(line.offset ?? -1)" } }
        #expect(Set(places).count == urls.count, "each body has a place of its own")
        for line in lines {
            let shard = try #require(line.shard)
            #expect(shard.hasPrefix("shard-") && shard.split(separator: "-").count > 2)
            #expect(files.contains(shard))
        }
        peer.stop()
    }

    @Test("A signal ends a worker, and the URLs that it hasn't fetched stay in the queue")
    func signalEndsWorker() async throws {
        let peer = try await PostgresPeer.start()
        let (gate, restGate, count) = (Gate(), Gate(), Watched(0))
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return .text("x").after(number <= 2 ? gate : restGate)
        }
        let folder = try TemporaryDirectory()
        let urls = (0..<10).map { "\(server.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let options = ["--discard", "--per-host", "2"]
        #expect(try await fleet(["create", "may"] + options, of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        // A request that starts before the worker handles the signal has no answer within the grace.
        let worker = try CommandRun(
            ["fleet", "work", "may", "--queue", peer.address, "--grace", "2s"]
        )
        try await server.requests(count: 2)
        worker.signal(15)
        gate.open()
        let ending = try await worker.ending()
        #expect(ending.status == 143, "\(ending.errors)")
        let status = try await fleet(["status", "may"], of: peer)
        #expect(status.output.contains("; 0 of 1 hosts leased"))
        restGate.open()
        #expect(try await fleet(["work", "may"], of: peer).status == 0)
        #expect(server.requestCount >= 10)
        let lines = try ResultLine.lines(try await fleet(["export", "may"], of: peer).output)
        #expect(Set(lines.map(\.url)) == Set(urls))
        #expect(lines.count == 10)
        peer.stop()
    }

    @Test("A watched status is printed at once, and again when the run is done")
    func watchedStatusEndsWithRun() async throws {
        let peer = try await PostgresPeer.start()
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        let list = try folder.write((0..<3).map { "\(server.url)/\($0)\n" }.joined(), to: "list")
        #expect(try await fleet(["create", "may", "--discard"], of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let arguments = ["fleet", "status", "may", "--watch", "--queue", peer.address]
        let watcher = try CommandRun(arguments)
        _ = try await watcher.output(containing: "may (open): 0 fetched, 0 failed, 3 pending; ")
        let worker = try CommandRun(["fleet", "work", "may", "--queue", peer.address])
        try await server.requests(count: 1)
        gate.open()
        #expect(try await worker.ending().status == 0)
        let ending = try await watcher.ending()
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
        let last = ending.output.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("may (open): 3 fetched, 0 failed, 0 pending; "), "\(ending)")
        let json = try await CommandRun.ending(arguments + ["--json"])
        #expect(json.output.hasPrefix(#"{"failed":0,"fetched":3,"#))
        peer.stop()
    }

    @Test("A signal ends a watched status, which a database that is away doesn't")
    func watchedStatusSurvivesDatabase() async throws {
        let peer = try await PostgresPeer.start()
        let folder = try TemporaryDirectory()
        let list = try folder.write("http://a.example/\n", to: "list")
        #expect(try await fleet(["create", "may", "--discard"], of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let watcher = try CommandRun([
            "fleet", "status", "may", "--watch", "--json", "--queue", peer.address,
        ])
        _ = try await watcher.output(containing: #""pending":1,"#)
        try await peer.crash()
        _ = try await watcher.errors(containing: "; trying again")
        watcher.signal(2)
        #expect(try await watcher.ending().status == 130)
        peer.stop()
    }

    @Test("A worker serves metrics of its leases and its database")
    func workerServesMetrics() async throws {
        let peer = try await PostgresPeer.start()
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        let list = try folder.write((0..<9).map { "\(server.url)/\($0)\n" }.joined(), to: "list")
        #expect(
            try await fleet(["create", "may", "--discard", "--per-host", "2"], of: peer).status == 0
        )
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let worker = try CommandRun([
            "fleet", "work", "may", "--metrics", "127.0.0.1:0", "--queue", peer.address,
        ])
        let line = try await worker.errors(containing: "/metrics\n")
        let port = try #require(
            line.firstMatch(of: #/127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
        )
        try await server.requests(count: 2)
        try await Inspection.wait {
            guard let client = try? RawClient(port: port),
                (try? client.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")) != nil,
                let bytes = try? client.receiveAll()
            else { return false }
            let page = String(decoding: bytes, as: UTF8.self)
            return [
                "batchfetch_in_flight 2\n", "batchfetch_fleet_leased_hosts 1\n",
                "batchfetch_fleet_urls_in_hand 9\n", "batchfetch_fleet_database_up 1\n",
            ].allSatisfy { page.contains($0) }
        }
        gate.open()
        #expect(try await worker.ending().status == 0)
        peer.stop()
    }

    @Test("Lines that are no URLs are counted and the first is explained")
    func malformedLinesAreCounted() async throws {
        let peer = try await PostgresPeer.start()
        let folder = try TemporaryDirectory()
        let list = try folder.write("http://a/\nno url\nftp://b/\n", to: "list")
        #expect(try await fleet(["create", "may", "--discard"], of: peer).status == 0)
        let added = try await fleet(["add", "may", list], of: peer)
        #expect(added.status == 1)
        #expect(added.output == "may: 1 added, 0 known already\n")
        #expect(added.errors.contains("2 lines are no URLs; the first: "))
        peer.stop()
    }
}

/// Wrong arguments, which need no database.
@Suite(.timeLimit(.minutes(10))) struct FleetArgumentsTests {
    @Test("The arguments of a run are separated from those of the fleet")
    func argumentsAreSeparated() throws {
        let arguments = try FleetArguments([
            "work", "--queue", "dbname=a", "may", "--concurrency", "5", "--wait", "--discard",
            "--state=b", "--state", "c",
        ])
        let own = ["work", "--queue=dbname=a", "may", "--wait", "--state=b", "--state=c"]
        #expect(arguments.own == own)
        #expect(arguments.others == ["--concurrency", "5", "--discard"])
        for option in ["--queue", "--state", "--lease"] {
            #expect(throws: (any Error).self) { try FleetArguments(["work", "may", option]) }
        }
    }

    @Test(
        "Options that a fleet doesn't have are refused before anything is stored",
        arguments: [
            ["create", "may", "--results", "file"], ["create", "may", "--journal", "file"],
            ["create", "may", "--output", "-"], ["create", "may", "--tar", "10"],
            ["create", "may", "--host-rule", "*.a.example: all, concurrency=1"],
            ["work", "may", "--per-address", "2"], ["create", "may", "--per-domain", "2"],
            ["create", "may", "--metrics", "127.0.0.1:0"],
            ["create", "may", "--concurrency", "none"],
            ["create", "may", "list"],
            ["add", "may", "--output", "pages", "list"], ["status", "may", "list"],
            ["pause", "may", "--json"], ["work", "may", "--watch"],
            ["status", "may", "--state", "a"],
            ["work", "may", "--state", ""], ["work", "may", "--lease", "900ms"],
            ["work", "may", "--lease", "2h"], ["add", "may", "--lease", "2s", "list"],
            ["create"], ["fly", "may"],
        ]
    )
    func unknownOptionsAreRefused(arguments: [String]) async throws {
        let queue = ["--queue", "host=/nowhere dbname=a"]
        let ending = try await CommandRun.ending(["fleet"] + arguments + queue)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("Error: "), "\(ending.errors)")
    }

    @Test("A database that can't be reached is an error without the password")
    func missingDatabaseIsReported() async throws {
        let queue = "host=/nowhere user=a password=secret dbname=b"
        let ending = try await CommandRun.ending("fleet", "status", "may", "--queue", queue)
        #expect(ending.status == 4)
        #expect(ending.errors.contains("/nowhere"))
        #expect(!ending.errors.contains("secret"))
    }
}
