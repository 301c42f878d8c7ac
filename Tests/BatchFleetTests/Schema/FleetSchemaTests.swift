import TestSupport
import Testing

@testable import BatchFleet

@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetSchemaTests {
    private func failure(_ body: () async throws(FleetError) -> Void) async -> FleetError? {
        do throws(FleetError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("Programs that make the tables at the same time all succeed")
    func installationsAtOnceSucceed() async throws {
        let peer = try await PostgresPeer.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let connection = try PostgresConnection(PostgresOptions(address: peer.address))
                    defer { connection.close() }
                    try await FleetStore(connection).install()
                }
            }
            try await group.waitForAll()
        }
        #expect(try peer.query("SELECT version FROM batchfetch.schema_version") == "1")
        peer.stop()
    }

    @Test("Tables of a newer version are refused")
    func newerVersionIsRefused() async throws {
        try await FleetFixture.use { fixture in
            _ = try fixture.peer.query("UPDATE batchfetch.schema_version SET version = 2")
            for isInstalling in [false, true] {
                let error = await failure { () async throws(FleetError) in
                    if isInstalling {
                        try await fixture.store.install()
                    } else {
                        try await fixture.store.checkVersion()
                    }
                }
                #expect(error?.code == .schema)
                #expect(error?.message.contains("version 2") == true)
            }
        }
    }

    @Test("Without the right to make tables, the script that an administrator runs is enough")
    func scriptReplacesInstallation() async throws {
        let peer = try await PostgresPeer.start()
        _ = try peer.query("CREATE ROLE weak LOGIN")
        let connection = try PostgresConnection(
            PostgresOptions(address: peer.address(user: "weak"))
        )
        defer { connection.close() }
        let store = FleetStore(connection)
        let missing = await failure { () async throws(FleetError) in try await store.checkVersion()
        }
        #expect(missing?.code == .schema)
        let refused = await failure { () async throws(FleetError) in try await store.install() }
        #expect(refused?.code == .refused)
        _ = try peer.query(FleetSchema.script)
        _ = try peer.query(
            """
            GRANT USAGE ON SCHEMA batchfetch TO weak;
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA batchfetch TO weak;
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA batchfetch TO weak;
            """
        )
        try await store.install()
        let run = try await store.create("run", options: "{}")
        #expect(try await store.add(FleetFixture.entries("a", 0..<3), to: run) == 3)
        peer.stop()
    }
}
