import BatchFleet
import TestSupport

/// Transactions that wait, so that a test can do something meanwhile.
extension FleetFixture {
    /// Makes transactions with a statement wait after it, while ``withBlock(_:)`` runs.
    ///
    /// - Parameter event: As in `CREATE TRIGGER … AFTER`, for instance `INSERT ON batchfetch.url`.
    func block(_ event: String) throws {
        _ = try peer.query(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
            CREATE TRIGGER pause AFTER \(event) FOR EACH STATEMENT EXECUTE FUNCTION pause();
            """
        )
    }

    /// Runs `body` with a store of its own, and with a closure that ends the wait.
    func withBlock(_ body: (FleetStore, () async throws -> Void) async throws -> Void) async throws
    {
        let other = try PostgresConnection(PostgresOptions(address: peer.address))
        defer { other.close() }
        let gate = try PostgresConnection(PostgresOptions(address: peer.address))
        defer { gate.close() }
        _ = try await gate.run(PostgresStatement("SELECT pg_advisory_lock(1)")())
        try await body(FleetStore(other)) {
            _ = try await gate.run(PostgresStatement("SELECT pg_advisory_unlock(1)")())
        }
    }

    /// The number of transactions that wait for a lock; `nil` if the database doesn't answer.
    var blockedCount: Int? {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        return (try? peer.query(sql)).flatMap { Int($0) }
    }

    /// Waits until so many transactions wait for a lock.
    func waitForBlocked(_ count: Int) async throws {
        try await Inspection.wait { blockedCount == count }
    }
}
