import TestSupport
import Testing

/// Databases that `batchfetch fleet` can't use.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetDatabaseErrorTests {
    private func fleet(
        _ arguments: [String],
        at address: String
    ) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["fleet"] + arguments + ["--queue", address])
    }

    /// The statement that gives a role all rights that a fleet needs.
    private static func grant(to role: String) -> String {
        let rights = ["TABLES", "SEQUENCES"].map {
            "GRANT ALL ON ALL \($0) IN SCHEMA batchfetch TO \(role);"
        }
        return "GRANT USAGE ON SCHEMA batchfetch TO \(role); " + rights.joined(separator: " ")
    }

    @Test("Tables of a newer version are an error for all actions, which changes nothing")
    func newerTablesAreRefused() async throws {
        let peer = try await PostgresPeer.start()
        let list = try TemporaryDirectory()
        let path = try list.write("http://a.example/\n", to: "list")
        #expect(try await fleet(["create", "may", "--discard"], at: peer.address).status == 0)
        _ = try peer.query("UPDATE batchfetch.schema_version SET version = version + 1")
        let actions = ["create", "work", "status", "pause", "retry-failed", "export", "drop"]
        for arguments in actions.map({ [$0, "may"] }) + [["add", "may", path]] {
            let ending = try await fleet(arguments, at: peer.address)
            #expect(ending.status == 2, "\(arguments)")
            #expect(ending.errors.contains("install a newer batchfetch"), "\(ending.errors)")
            #expect(ending.output.isEmpty)
        }
        let counts =
            "SELECT (SELECT count(*) FROM batchfetch.run), (SELECT count(*) FROM batchfetch.url)"
        #expect(try peer.query(counts) == "1|0")
        peer.stop()
    }

    @Test("A worker refuses a run with options that it doesn't know")
    func unknownOptionsAreRefused() async throws {
        let peer = try await PostgresPeer.start()
        #expect(try await fleet(["create", "may", "--discard"], at: peer.address).status == 0)
        for (options, reason) in [
            ("[\"--discard\",\"--future\"]", "--future"),
            ("[\"--concurrency\",\"x\"]", "--concurrency"),
            ("[\"--discard\",\"--per-address\",\"2\"]", "--per-address"), ("{}", "can't be read"),
        ] {
            _ = try peer.query("UPDATE batchfetch.run SET options = '\(options)'")
            let ending = try await fleet(["work", "may"], at: peer.address)
            #expect(ending.status == 2, "\(ending.errors)")
            #expect(ending.errors.contains(reason), "\(ending.errors)")
        }
        #expect(try peer.query("SELECT count(*) FROM batchfetch.worker") == "0")
        peer.stop()
    }

    @Test("A user without rights gets the SQL for an administrator, which is enough")
    func missingRightsAreExplained() async throws {
        let peer = try await PostgresPeer.start()
        _ = try peer.query("CREATE ROLE weak LOGIN")
        let address = peer.address(user: "weak")
        let refused = try await fleet(["create", "may", "--discard"], at: address)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("let an administrator run the printed SQL"))
        _ = try peer.query(refused.output)
        let unreadable = try await fleet(["create", "may", "--discard"], at: address)
        #expect(unreadable.status == 2)
        #expect(unreadable.errors.contains("GRANT USAGE"), "\(unreadable.errors)")
        #expect(unreadable.output.isEmpty)
        _ = try peer.query(Self.grant(to: "weak"))
        let ending = try await fleet(["create", "may", "--discard"], at: address)
        #expect(ending.status == 0, "\(ending.errors)")
        peer.stop()
    }

    @Test("A worker that loses its rights ends with the reason, and its results aren't lost")
    func lostRightsLoseNothing() async throws {
        let peer = try await PostgresPeer.start()
        _ = try peer.query("CREATE ROLE weak LOGIN")
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        let list = try folder.write("\(server.url)/0\n", to: "list")
        #expect(try await fleet(["create", "may", "--discard"], at: peer.address).status == 0)
        #expect(try await fleet(["add", "may", list], at: peer.address).status == 0)
        _ = try peer.query(Self.grant(to: "weak"))
        let command = [
            "fleet", "work", "may", "--queue", peer.address(user: "weak"), "--state",
            folder.path("state"),
        ]
        let worker = try CommandRun(command)
        try await server.requests(count: 1)
        _ = try peer.query("REVOKE INSERT ON batchfetch.result FROM weak")
        gate.open()
        let ending = try await worker.ending()
        #expect(ending.status == 2)
        #expect(ending.errors.contains("permission denied"), "\(ending.errors)")
        #expect(try peer.query("SELECT count(*) FROM batchfetch.result") == "0")
        _ = try peer.query(Self.grant(to: "weak"))
        let next = try await CommandRun.ending(command)
        #expect(next.status == 0, "\(next.errors)")
        #expect(try peer.query("SELECT count(*) FROM batchfetch.result") == "1")
        #expect(server.requestCount == 1)
        peer.stop()
    }

    @Test("A wrong password is an error that doesn't show it")
    func wrongPasswordIsRefused() async throws {
        let peer = try await PostgresPeer.start()
        let rules = try peer.query("SHOW hba_file")
        _ = try peer.query(
            """
            CREATE ROLE locked LOGIN PASSWORD 'right';
            COPY (VALUES ('local all postgres trust'), ('local all all scram-sha-256'))
                TO '\(rules)';
            """
        )
        try await peer.crash()
        try await peer.restart()
        for password in ["", " password=mistaken"] {
            let address = peer.address(user: "locked") + password
            let ending = try await fleet(["status", "may"], at: address)
            #expect(ending.status == 2)
            #expect(ending.errors.contains("can't connect to PostgreSQL"), "\(ending.errors)")
            #expect(ending.errors.contains("password"))
            #expect(!ending.errors.contains("mistaken"))
        }
        let known = try await fleet(
            ["status", "may"],
            at: peer.address(user: "locked") + " password=right"
        )
        #expect(known.errors.contains("has no tables for fleets"), "\(known.errors)")
        peer.stop()
    }
}

/// A database on a disk that is full.
@Suite(
    .enabled(if: PostgresPeer.isAvailable && SmallDisk.isPossible),
    .timeLimit(.minutes(10))
)
struct FleetFullDiskTests {
    @Test("A worker waits for space on the disk of the database, and loses nothing")
    func fullDiskOfDatabaseIsAwaited() async throws {
        let peer = try await PostgresPeer.start()
        let server = try LoopbackServer { _ in .text("x") }
        let folder = try TemporaryDirectory()
        let disk = try TemporaryDirectory()
        let user = try #require(PostgresPeer.userID)
        try #require(SmallDisk.mount("size=1m,mode=0700,uid=\(user)", disk.path))
        defer { SmallDisk.unmount(disk.path) }
        let lines = (0..<100).map { "\(server.url)/\($0)" }
        let list = try folder.write(lines.joined(separator: "\n"), to: "list")
        let queue = ["--queue", peer.address]
        let create = ["fleet", "create", "may", "--discard"] + queue
        #expect(try await CommandRun.ending(create).status == 0)
        #expect(try await CommandRun.ending(["fleet", "add", "may", list] + queue).status == 0)
        // Outside a transaction, as PostgreSQL demands.
        _ = try peer.query("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        _ = try peer.query(
            """
            DO $$ BEGIN FOR part IN 0..15 LOOP
                EXECUTE format('ALTER TABLE batchfetch.result_%s SET TABLESPACE small', part);
            END LOOP; END $$;
            CREATE TABLE filler (text text) WITH (autovacuum_enabled = off) TABLESPACE small;
            """
        )
        // Its pages stay, though its rows don't.
        do {
            _ = try peer.query(
                "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 5000)"
            )
            Issue.record("the disk has room for 5 MB")
        } catch {
            #expect("\(error)".contains("could not extend file"), "\(error)")
        }
        let state = folder.path("state")
        let worker = try CommandRun(["fleet", "work", "may", "--state", state] + queue)
        _ = try await worker.errors(containing: "results are kept in the folder \(state)")
        try #require(SmallDisk.mount("remount,size=64m", disk.path))
        let ending = try await worker.ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors.contains("could not extend file"), "\(ending.errors)")
        #expect(ending.errors.contains("(53100)"), "\(ending.errors)")
        #expect(ending.output.hasPrefix("100 fetched, 0 failed, 0 pending"))
        #expect(server.requestCount == 100)
        peer.stop()
    }
}
