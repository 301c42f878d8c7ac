import Posix
import TestSupport
import Testing

@testable import BatchFleet

/// Workers whose database is away.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct KeptResultsTests {
    /// The number of lines in the files of a folder.
    private static func lineCount(_ folder: String) -> Int {
        let names = (try? TemporaryDirectory.files(in: folder)) ?? []
        return names.reduce(0) { count, name in
            let file = try? FileDescriptor.openForReading("\(folder)/\(name)")
            let bytes = (try? file?.bytes(at: 0, upTo: 1 << 20)) ?? []
            return count + bytes.count { $0 == UInt8(ascii: "\n") }
        }
    }

    /// Lets a worker fetch two URLs while the database is away, and ends it. Starts the database.
    private func keepResults(
        _ fixture: FleetFixture,
        _ gate: Gate,
        _ server: LoopbackServer,
        in folder: String
    ) async throws {
        try await fixture.add((0..<2).map { "\(server.url)/\($0)" })
        let warnings = Watched<[String]>([])
        try await fixture.work("first", state: folder, warnings: warnings) { worker in
            async let working: Void = worker.work()
            try await server.requests(count: 2)
            try await fixture.peer.crash()
            gate.open()
            try await Inspection.wait { Self.lineCount(folder) == 2 }
            worker.stop()
            try await working
        }
        #expect(warnings.read { $0 }.count { $0.contains("results are kept in the folder") } == 1)
        try await fixture.peer.restart()
        #expect(try await fixture.lines().isEmpty)
    }

    @Test("Results that a worker couldn't store are stored by the next worker with its folder")
    func nextWorkerStoresResults() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        try await FleetFixture.use { fixture in
            try await keepResults(fixture, gate, server, in: folder.path)
            let warnings = Watched<[String]>([])
            try await fixture.work("second", state: folder.path, warnings: warnings) {
                try await $0.work()
            }
            #expect(try await fixture.lines().count == 2)
            #expect(server.requestCount == 2)
            #expect(warnings.read { $0 } == ["the database has taken 2 kept results"])
            #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
        }
    }

    @Test("Kept results are dropped if another worker has got the host meanwhile")
    func lateResultsAreDropped() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        try await FleetFixture.use { fixture in
            try await keepResults(fixture, gate, server, in: folder.path)
            try fixture.endLeases()
            let other = try await fixture.lease(for: 99)
            #expect(other.count == 1)
            try fixture.endLeases()
            let warnings = Watched<[String]>([])
            try await fixture.work("second", state: folder.path, warnings: warnings) {
                try await $0.work()
            }
            #expect(try await fixture.lines().count == 2)
            #expect(server.requestCount == 4)
            let warning = try #require(warnings.read { $0.first })
            #expect(warning.contains("taken 0 kept results; 2 more came too late"))
            #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
        }
    }

    @Test("A worker waits for a server without disk space, and keeps its results meanwhile")
    func fullServerIsAwaited() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let folder = try TemporaryDirectory()
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<5).map { "\(server.url)/\($0)" })
            _ = try fixture.peer.query(
                """
                CREATE FUNCTION batchfetch.refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON batchfetch.result
                    FOR EACH ROW EXECUTE FUNCTION batchfetch.refuse();
                """
            )
            let warnings = Watched<[String]>([])
            try await fixture.work("worker", state: folder.path, warnings: warnings) { worker in
                async let working: Void = worker.work()
                try await Inspection.wait { Self.lineCount(folder.path) == 5 }
                #expect(try fixture.peer.query("SELECT count(*) FROM batchfetch.result") == "0")
                _ = try fixture.peer.query("DROP TRIGGER refuse ON batchfetch.result")
                try await working
            }
            #expect(try await fixture.lines().count == 5)
            #expect(server.requestCount == 5)
            let texts = warnings.read { $0 }
            #expect(texts.first?.contains("PostgreSQL reports: no space (53100)") == true)
            #expect(texts.last?.contains("taken 5 kept results") == true)
            #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
        }
    }
}
