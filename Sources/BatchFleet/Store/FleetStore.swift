internal import Posix

/// The runs of a database. All methods may be called on any thread.
///
/// Each call is one transaction, except where it says otherwise. A call that failed with a
/// temporary error may be repeated: what it had already changed isn't changed twice.
package final class FleetStore: Sendable {
    let connection: PostgresConnection

    /// - Parameter connection: The owner still has to close it.
    package init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    // MARK: Tables

    /// Makes the tables if there are none.
    ///
    /// - Throws: ``FleetError``: `schema` if the tables are those of a newer version; `refused`
    ///   without the right to make a schema. Then ``FleetSchema/script`` shows what to run.
    package func install() async throws(FleetError) {
        if try await version() == nil {
            do throws(FleetError) {
                _ = try await connection.run(
                    [FleetSchema.lockInstallation()] + FleetSchema.statements.map { $0() }
                )
            } catch {
                // Another program may have made them meanwhile: 42P07 is `duplicate_table`.
                guard error.sqlState == "42P07" else { throw error }
            }
        }
        try await checkVersion()
    }

    /// Checks that this program can use the tables.
    ///
    /// - Throws: ``FleetError`` with the code `schema` if it can't.
    package func checkVersion() async throws(FleetError) {
        guard let version = try await version() else {
            throw FleetError(
                .schema,
                "the database has no tables for fleets: create a run first, with fleet create"
            )
        }
        guard version <= FleetSchema.version else {
            throw FleetError(
                .schema,
                "the tables of the database have version \(version), and this program knows "
                    + "\(FleetSchema.version): install a newer batchfetch"
            )
        }
    }

    /// The version of the tables; `nil` if there are none.
    private func version() async throws(FleetError) -> Int? {
        do throws(FleetError) {
            return try await connection.run(FleetSchema.readVersion())[0].integer(0, 0)
        } catch {
            // `undefined_table`, and `invalid_schema_name`.
            if ["42P01", "3F000"].contains(error.sqlState) { return nil }
            guard error.code == .refused, error.sqlState == "42501" else { throw error }
            throw FleetError(
                .refused,
                "the user may not use the tables of fleets: let an administrator run GRANT USAGE ON "
                    + "SCHEMA batchfetch, GRANT ALL ON ALL TABLES IN SCHEMA batchfetch and GRANT "
                    + "ALL ON ALL SEQUENCES IN SCHEMA batchfetch for the user"
            )
        }
    }

    // MARK: Runs

    /// Creates a run.
    ///
    /// - Parameter options: What workers need to know, in the form of the caller's choice.
    /// - Throws: ``FleetError`` with the code `run` if there is a run of the name.
    @discardableResult
    package func create(_ name: String, options: String) async throws(FleetError) -> FleetRun {
        let insert = PostgresStatement(
            """
            INSERT INTO batchfetch.run (name, options) VALUES ($1, $2)
            ON CONFLICT (name) DO NOTHING RETURNING id, identity
            """
        )
        let rows = try await connection.run(insert(.text(name), .text(options)))[0]
        guard let id = rows.integer(0, 0), let identity = rows[0, 1] else {
            throw FleetError(.run, "there is a run “\(name)” already: choose another name")
        }
        return FleetRun(id: id, name: name, options: options, identity: identity, state: .open)
    }

    /// Finds a run by its name.
    ///
    /// - Throws: ``FleetError`` with the code `run` if there is none.
    package func run(_ name: String) async throws(FleetError) -> FleetRun {
        let select = PostgresStatement(
            "SELECT id, options, state, identity FROM batchfetch.run WHERE name = $1"
        )
        let rows = try await connection.run(select(.text(name)))[0]
        guard let id = rows.integer(0, 0), let options = rows[0, 1], let identity = rows[0, 3]
        else {
            throw FleetError(.run, "there is no run “\(name)”: create it first, with fleet create")
        }
        guard let state = rows[0, 2].flatMap({ FleetRun.State(rawValue: $0) }) else {
            throw FleetError(
                .run,
                "the run “\(name)” has an unknown state: install a newer batchfetch"
            )
        }
        return FleetRun(id: id, name: name, options: options, identity: identity, state: state)
    }

    /// Pauses, resumes or closes a run. A closed run stays so.
    ///
    /// - Throws: ``FleetError`` with the code `run` if the run was dropped, or is being dropped.
    package func set(_ state: FleetRun.State, of run: FleetRun) async throws(FleetError) {
        let update = PostgresStatement(
            "UPDATE batchfetch.run SET state = $2 WHERE id = $1 AND state <> 'closed' RETURNING id"
        )
        let rows = try await connection.run(
            update(.integer(run.id), .text(state.rawValue)),
            FleetStatements.state(.integer(run.id))
        )
        if rows[0].count == 0 { try Self.checkExistence(of: run, rows[1]) }
    }

    /// The counts of a run at one moment.
    package func counts(of run: FleetRun) async throws(FleetError) -> FleetCounts {
        let rows = try await connection.run(FleetStatements.counts(.integer(run.id)))[0]
        return FleetCounts(
            hosts: rows.integer(0, 0) ?? 0,
            pending: rows.integer(0, 1) ?? 0,
            fetched: rows.integer(0, 2) ?? 0,
            failed: rows.integer(0, 3) ?? 0,
            leasedHosts: rows.integer(0, 4) ?? 0
        )
    }

    /// The hosts of a run, in portions of a few dozen.
    ///
    /// The transactions for a portion, one for each host, are sent together.
    private struct HostPortions {
        let connection: PostgresConnection
        let run: FleetRun
        var size = 32
        private var last = 0

        init(_ connection: PostgresConnection, _ run: FleetRun) {
            self.connection = connection
            self.run = run
        }

        /// The numbers of the next hosts; `nil` at the end.
        mutating func next() async throws(FleetError) -> [Int]? {
            let select = PostgresStatement(
                "SELECT id FROM batchfetch.host WHERE run = $1 AND id > $2 ORDER BY id LIMIT $3"
            )
            let rows = try await connection.run(
                select(.integer(run.id), .integer(last), .integer(size))
            )[0]
            let hosts = (0..<rows.count).compactMap { rows.integer($0, 0) }
            guard let end = hosts.last else { return nil }
            last = end
            return hosts
        }
    }

    /// Queues the failed URLs of a run again, host by host. Returns their number.
    package func retryFailed(_ run: FleetRun) async throws(FleetError) -> Int {
        var count = 0
        var portions = HostPortions(connection, run)
        while let hosts = try await portions.next() {
            let answers = try await connection.run(
                transactions: hosts.map { host in
                    [
                        RunStatements.lockRetry(.integer(host)), FleetStatements.findByKey(),
                        RunStatements.retryFailed(.integer(host)),
                    ]
                }
            )
            for rows in answers { count += rows[2].integer(0, 0) ?? 0 }
        }
        return count
    }

    /// Removes a run with its URLs and results, host by host.
    ///
    /// It closes the run first, so that no host is added any more, and then ends all leases. So
    /// nothing is stored under a host that it has removed: for instance, the result of a redirect
    /// belongs to the first host, and the owner of the last one stores it. May be repeated if it
    /// failed.
    package func drop(_ run: FleetRun) async throws(FleetError) {
        _ = try await connection.run(RunStatements.close(.integer(run.id)))
        var leased = HostPortions(connection, run)
        leased.size = 1000
        while let hosts = try await leased.next() {
            _ = try await connection.run(RunStatements.fence(.integers(hosts)))
        }
        var portions = HostPortions(connection, run)
        while let hosts = try await portions.next() {
            _ = try await connection.run(
                transactions: hosts.map { host in
                    RunStatements.removal.map { $0(.integer(host)) }
                }
            )
        }
        let delete = PostgresStatement("DELETE FROM batchfetch.run WHERE id = $1")
        _ = try await connection.run(delete(.integer(run.id)))
    }

    /// Calls `body` with the lines of a run's results, a portion at a time, in no certain order.
    ///
    /// Memory doesn't grow with the run. Results that are accepted meanwhile may be missing.
    ///
    /// - Parameter portion: The maximum number of lines of a call. Those of some hosts are in memory.
    package func export(
        _ run: FleetRun,
        portion: Int = 1000,
        _ body: ([String]) throws -> Void
    ) async throws {
        let start = "00000000-0000-0000-0000-000000000000"
        var portions = HostPortions(connection, run)
        while let hosts = try await portions.next() {
            let answers = try await connection.run(
                transactions: hosts.map { [Self.results(of: $0, after: start, portion)] }
            )
            for (host, rows) in zip(hosts, answers) {
                try await export(host, rows[0], portion: portion, body)
            }
        }
    }

    private static func results(of host: Int, after key: String, _ limit: Int) -> PostgresCall {
        RunStatements.results(.integer(host), .text(key), .integer(limit))
    }

    /// - Parameter rows: The first results of the host.
    private func export(
        _ host: Int,
        _ rows: PostgresRows,
        portion: Int,
        _ body: ([String]) throws -> Void
    ) async throws {
        var rows = rows
        while true {
            let lines = (0..<rows.count).compactMap { rows[$0, 1] }
            if !lines.isEmpty { try body(lines) }
            guard rows.count == portion, let next = rows[rows.count - 1, 0] else { return }
            rows = try await connection.run(Self.results(of: host, after: next, portion))[0]
        }
    }
}
