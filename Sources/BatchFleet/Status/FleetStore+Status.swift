/// What a run and its workers do.
extension FleetStore {
    /// The greatest number of workers in a status.
    package static let mostWorkers = 1000

    /// How the database has answered the requests of this store so far.
    package var databaseFigures: DatabaseFigures { connection.figures }

    /// The status of a run at one moment. Reads one row for each host, and none of a URL.
    ///
    /// - Parameter hostLimit: The greatest number of slow hosts in it.
    /// - Throws: ``FleetError`` with the code `run` if the run was dropped.
    package func status(
        of run: FleetRun,
        hostLimit: Int = 10
    ) async throws(FleetError) -> FleetStatus {
        let rows = try await connection.run(
            FleetStatements.state(.integer(run.id)),
            StatusStatements.summary(.integer(run.id)),
            StatusStatements.workers(.integer(run.id), .integer(Self.mostWorkers)),
            StatusStatements.hosts(.integer(run.id), .integer(hostLimit))
        )
        guard let state = rows[0][0, 0].flatMap({ FleetRun.State(rawValue: $0) }) else {
            throw FleetError(.run, "the run “\(run.name)” was dropped")
        }
        var status = FleetStatus(run: run.name, state: state)
        status.counts = FleetCounts(
            hosts: rows[1].integer(0, 0) ?? 0,
            pending: rows[1].integer(0, 1) ?? 0,
            fetched: rows[1].integer(0, 2) ?? 0,
            failed: rows[1].integer(0, 3) ?? 0,
            leasedHosts: rows[1].integer(0, 4) ?? 0
        )
        status.waitingHosts = rows[1].integer(0, 5) ?? 0
        status.workers = (0..<rows[2].count).compactMap { Self.worker(rows[2], $0) }
        status.slowHosts = (0..<rows[3].count).compactMap { Self.host(rows[3], $0) }
        return status
    }

    private static func worker(_ rows: PostgresRows, _ row: Int) -> FleetStatus.Worker? {
        guard let id = rows.integer(row, 0), let name = rows[row, 1] else { return nil }
        var worker = FleetStatus.Worker(id: id, name: name)
        worker.hosts = rows.integer(row, 2) ?? 0
        worker.accepted = rows.integer(row, 3) ?? 0
        worker.rate = max(0, number(rows, row, 4))
        worker.age = .seconds(max(0, number(rows, row, 5)))
        worker.unseen = .seconds(max(0, number(rows, row, 6)))
        return worker
    }

    private static func host(_ rows: PostgresRows, _ row: Int) -> FleetStatus.Host? {
        guard let name = rows[row, 0] else { return nil }
        var host = FleetStatus.Host(name: name)
        host.pending = rows.integer(row, 1) ?? 0
        host.failed = rows.integer(row, 2) ?? 0
        host.wait = .seconds(min(number(rows, row, 3), 1e9))
        host.owner = rows.integer(row, 4)
        host.isBroken = rows[row, 5] == "t"
        return host
    }

    /// The number in a cell; 0 for SQL's `NULL` and for what isn't finite.
    private static func number(_ rows: PostgresRows, _ row: Int, _ column: Int) -> Double {
        let number = rows[row, column].flatMap { Double($0) } ?? 0
        return number.isFinite ? number : 0
    }
}
