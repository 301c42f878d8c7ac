import TestSupport
import Testing

@testable import BatchFleet

/// How PostgreSQL executes the statements on tables with many rows.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct StatementPlanTests {
    /// The settings of the connections of workers, and a plan for any parameters.
    private static let settings = """
        SET search_path TO pg_catalog;
        SET enable_seqscan TO off;
        SET plan_cache_mode TO force_generic_plan;
        SET jit TO off;
        """

    /// A value of the type that a statement casts its parameter to.
    ///
    /// Not NULL, with which a plan leaves out all parts of a table.
    private static func value(of number: Int, in sql: String) -> String {
        let type = sql.matches(of: #/\$(\d+)::(\w+(?:\[\])?)/#).first { Int($0.1) == number }?.2
        return switch type {
        case "text": "'a'"
        case "uuid": "'00000000-0000-0000-0000-000000000000'"
        case .some(let type) where type.hasSuffix("[]"): "'{}'"
        default: "1"
        }
    }

    /// The statements that find URLs or results by keys, in transactions with a setting.
    private static let byKey = FleetStatements.byKey + [RunStatements.retryFailed]

    /// - Parameter change: What is executed before the statement is explained a second time, as it was
    ///   planned, and a third time, planned again.
    private static func plan(
        of statement: PostgresStatement,
        in peer: PostgresPeer,
        thenAfter change: String? = nil
    ) throws -> String {
        let numbers = statement.sql.matches(of: #/\$(\d+)/#).compactMap { Int($0.1) }
        let values = (1...max(1, numbers.max() ?? 1)).map { value(of: $0, in: statement.sql) }
        let isByKey = byKey.contains(statement)
        let explanation = "EXPLAIN EXECUTE examined (\(values.joined(separator: ", ")));"
        return try peer.query(
            """
            BEGIN;
            \(settings)
            \(isByKey ? FleetStatements.findByKey.sql : "");
            PREPARE examined AS \(statement.sql);
            \(explanation)
            \(change.map { $0 + explanation + "DISCARD PLANS;" + explanation } ?? "")
            ROLLBACK;
            """
        )
    }

    /// Adds 100 URLs of each host, half of them with results.
    private static let urls = """
        INSERT INTO batchfetch.url (host, key, url, state)
            SELECT host.id, md5(host.id || '/' || number)::uuid, 'http://h/' || number, number % 2
            FROM batchfetch.host, generate_series(1, 100) AS number
            ON CONFLICT DO NOTHING;
        INSERT INTO batchfetch.result (host, key, answered_by, worker, line)
            SELECT host, key, host, 1, '{}' FROM batchfetch.url WHERE state = 1
            ON CONFLICT DO NOTHING;
        """

    /// A run with 20,000 URLs of 200 hosts, half of them with results.
    ///
    /// So many hosts that each part of the tables has some: an empty part is read whole.
    private static func fill(_ fixture: FleetFixture) throws {
        _ = try fixture.peer.query(
            """
            INSERT INTO batchfetch.host (run, name, pending, fetched)
                SELECT \(fixture.run.id), 'host' || number, 50, 50
                FROM generate_series(1, 200) AS number;
            \(urls)
            """
        )
    }

    private static func analyze(_ fixture: FleetFixture) throws {
        _ = try fixture.peer.query(
            "ANALYZE batchfetch.host, batchfetch.url, batchfetch.result"
        )
    }

    @Test("Each statement finds URLs and results by an index, and none reads all of a table's part")
    func noStatementScansURLs() async throws {
        try await FleetFixture.use { fixture in
            try Self.fill(fixture)
            try Self.analyze(fixture)
            let statements = FleetStatements.all + StatusStatements.all + RunStatements.all
            var scanCount = 0
            for statement in statements {
                let plan = try Self.plan(of: statement, in: fixture.peer)
                #expect(plan.contains("cost="), "\(statement.sql): \(plan)")
                let lines = plan.split(separator: "\n")
                for (index, line) in lines.enumerated()
                where line.contains(#/Scan.* on (url|result)_\d+/#) {
                    scanCount += 1
                    #expect(!line.contains("Seq Scan"), "\(statement.sql): \(plan)")
                    // Without a condition the whole index would be read.
                    let next = index + 1 < lines.count ? lines[index + 1] : ""
                    #expect(
                        next.contains(#/(Index|Recheck|TID) Cond:/#),
                        "\(statement.sql): \(plan)"
                    )
                }
            }
            #expect(scanCount > 50)
        }
    }

    @Test(
        "A URL or result is found by its key whatever the statistics say",
        arguments: ["", "ANALYZE", "VACUUM ANALYZE", "VACUUM (ANALYZE, TRUNCATE off)"],
        [0, 1, 2]
    )
    func keysAreFoundWithoutStatistics(command: String, rowCount: Int) async throws {
        try await FleetFixture.use { fixture in
            try Self.fill(fixture)
            if !command.isEmpty {
                for table in ["url", "result"] {
                    let rest =
                        "SELECT key FROM (SELECT key, row_number() OVER (PARTITION BY tableoid) AS place "
                        + "FROM batchfetch.\(table)) AS list WHERE place <= \(rowCount)"
                    _ = try fixture.peer.query(
                        "DELETE FROM batchfetch.\(table) WHERE key NOT IN (\(rest))"
                    )
                    _ = try fixture.peer.query("\(command) batchfetch.\(table)")
                }
            }
            let change = command.isEmpty ? nil : Self.urls
            let statements = FleetStatements.all.filter { $0.sql.contains("url.key = ") }
            #expect(Set(statements) == Set(FleetStatements.byKey))
            for statement in Self.byKey {
                let plan = try Self.plan(of: statement, in: fixture.peer, thenAfter: change)
                Self.checkKeys(plan)
            }
        }
    }

    /// Checks that an index finds a URL by its key, and not only by its host, or its place does.
    private static func checkKeys(_ plan: String) {
        let lines = plan.split(separator: "\n")
        let conditions = lines.indices.filter { lines[$0].contains("key = ") }
        #expect(conditions.count >= 16, "one for each part of the table: \(plan)")
        // A filter is applied to each row that the index finds, and there is one row in a place.
        for index in conditions {
            let isFound = lines[index].contains(#/(Index|Recheck) Cond:/#)
            let hasPlace = index > 0 && lines[index - 1].contains("TID Cond:")
            #expect(isFound || hasPlace, "\(plan)")
        }
    }

    @Test("A fetched URL is found by its place in the table, also without statistics")
    func placesAreUsed() async throws {
        try await FleetFixture.use { fixture in
            try Self.fill(fixture)
            for _ in 0..<2 {
                let plan = try Self.plan(of: FleetStatements.acceptFetched, in: fixture.peer)
                let places = plan.matches(of: #/Tid Scan on url_\d+ .*\n *TID Cond:/#)
                #expect(places.count == FleetSchema.partCount, "\(plan)")
                try Self.analyze(fixture)
            }
        }
    }

    @Test("The statements of the status read neither URLs nor results")
    func statusReadsHostsOnly() async throws {
        try await FleetFixture.use { fixture in
            try Self.fill(fixture)
            try Self.analyze(fixture)
            for statement in StatusStatements.all {
                let plan = try Self.plan(of: statement, in: fixture.peer)
                #expect(!plan.contains(#/ on (url|result)(_\d+)?\b/#), "\(plan)")
            }
            let status = try await fixture.store.status(of: fixture.run)
            #expect(status.counts == FleetCounts(hosts: 200, pending: 10_000, fetched: 10_000))
        }
    }
}
