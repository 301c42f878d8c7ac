import BatchFleet
import TestSupport
import Testing

/// Requests to a real server.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct PostgresConnectionTests {
    /// Runs `body` with a connection, and closes it.
    private func connected(
        to address: String,
        requestTimeout: Duration = .seconds(60),
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        let connection = try PostgresConnection(
            PostgresOptions(address: address, requestTimeout: requestTimeout)
        )
        defer { connection.close() }
        try await body(connection)
    }

    /// Waits until the server runs one statement of which the condition holds.
    private func activity(of peer: PostgresPeer, _ condition: String) async throws {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE " + condition
        try await Inspection.wait { (try? peer.query(sql)) == "1" }
    }

    private func failure(_ connection: PostgresConnection, _ sql: String) async -> FleetError? {
        do throws(FleetError) {
            _ = try await connection.run(PostgresStatement(sql)())
            return nil
        } catch {
            return error
        }
    }

    @Test("Values come back as they were sent")
    func valuesComeBack() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            let texts: [String?] = ["", "a,b", #"\"'"#, "ünï\n", "NULL"]
            let statement = PostgresStatement(
                "SELECT * FROM unnest($1::text[], $2::bigint[]) AS list(word, number)",
                name: "echo"
            )
            for _ in 0..<3 {
                let rows = try await connection.run(
                    statement(.texts(texts + [nil]), .integers([1, 2, 3, 4, 5, -6]))
                )[0]
                #expect(rows.count == 6)
                #expect((0..<5).map { rows[$0, 0] } == texts)
                #expect(rows[5, 0] == nil)
                #expect((0..<6).map { rows.integer($0, 1) } == [1, 2, 3, 4, 5, -6])
                #expect(rows[0, 2] == nil)
                #expect(rows[6, 0] == nil)
            }
            let null = try await connection.run(
                PostgresStatement("SELECT $1::text IS NULL, $2::float8")(.null, .real(0.5))
            )[0]
            #expect(null[0, 0] == "t")
            #expect(null[0, 1] == "0.5")
        }
        peer.stop()
    }

    @Test("Transactions that are sent together are answered in order, and one fails by itself")
    func transactionsAreIndependent() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            _ = try await connection.run(PostgresStatement("CREATE TABLE public.t (n int)")())
            let insert = PostgresStatement("INSERT INTO public.t VALUES ($1) RETURNING n")
            let calls = (0..<100).map { [insert(.integer($0)), insert(.integer(1000 + $0))] }
            let answers = try await connection.run(transactions: calls)
            #expect(answers.map { $0[0].integer(0, 0) } == Array(0..<100))
            #expect(answers.allSatisfy { $0.count == 2 })
            #expect(try await connection.run(transactions: []).isEmpty)
            var failure: FleetError?
            do throws(FleetError) {
                let refused = PostgresStatement("SELECT 1/0")()
                _ = try await connection.run(
                    transactions: [
                        [insert(.integer(2000))], [insert(.integer(2001)), refused],
                        [insert(.integer(2002))],
                    ]
                )
            } catch {
                failure = error
            }
            #expect(failure?.sqlState == "22012")
        }
        let stored = "SELECT string_agg(n::text, ' ' ORDER BY n) FROM public.t WHERE n >= 2000"
        #expect(try peer.query(stored) == "2000 2002")
        peer.stop()
    }

    @Test("If the server refuses one statement of a request, none has an effect")
    func requestIsTransaction() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            _ = try await connection.run(PostgresStatement("CREATE TABLE public.t (n int)")())
            let insert = PostgresStatement(
                "INSERT INTO public.t VALUES ($1) RETURNING n",
                name: "insert"
            )
            let divide = PostgresStatement("SELECT 1 / $1::int", name: "divide")
            do throws(FleetError) {
                _ = try await connection.run(insert(.integer(1)), divide(.integer(0)))
                Issue.record("dividing by zero succeeded")
            } catch {
                #expect(error.code == .statement)
                #expect(error.sqlState == "22012")
                #expect(error.message == "PostgreSQL reports: division by zero (22012)")
            }
            // The connection and both prepared statements are as before.
            let rows = try await connection.run(insert(.integer(2)), divide(.integer(1)))
            #expect(rows.map { $0[0, 0] } == ["2", "1"])
            let all = try await connection.run(PostgresStatement("SELECT n FROM public.t")())[0]
            #expect(all.count == 1)
        }
        peer.stop()
    }

    @Test("A statement that can't be prepared fails with the reason, and works once it can")
    func refusedPreparationIsReported() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            let select = PostgresStatement("SELECT n FROM later", name: "later")
            for _ in 0..<2 {
                do throws(FleetError) {
                    _ = try await connection.run(select())
                    Issue.record("a table that doesn't exist was read")
                } catch {
                    #expect(error.sqlState == "42P01")
                }
            }
            _ = try await connection.run(PostgresStatement("CREATE TABLE public.later (n int)")())
            // The statement has the schema's name in earnest; here the setting is changed.
            _ = try await connection.run(PostgresStatement("SET search_path TO public")())
            #expect(try await connection.run(select())[0].count == 0)
        }
        peer.stop()
    }

    @Test("A thousand requests at once get their own answers over one connection")
    func requestsAtOnceGetTheirAnswers() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            let echo = PostgresStatement("SELECT $1::bigint, pg_backend_pid()", name: "echo")
            let padding = String(repeating: "x", count: 4000)
            let long = PostgresStatement("SELECT $1::text || $2::text", name: "long")
            let processes = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        let rows = try await connection.run(
                            echo(.integer(number)),
                            long(.text(padding), .text(String(number)))
                        )
                        #expect(rows[0].integer(0, 0) == number)
                        #expect(rows[1][0, 0] == padding + String(number))
                        return rows[0][0, 1]
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(processes.count == 1)
        }
        peer.stop()
    }

    @Test("A crash of the server fails the open requests, and later ones connect again")
    func crashFailsOpenRequests() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            _ = try await connection.run(PostgresStatement("SELECT pg_advisory_lock(1)")())
            let holder = try PostgresConnection(PostgresOptions(address: peer.address))
            defer { holder.close() }
            // It waits for the lock of the first connection until the crash.
            async let waiting = failure(holder, "SELECT pg_advisory_lock(1)")
            try await activity(of: peer, "wait_event_type = 'Lock'")
            try await peer.crash()
            #expect(await waiting?.code == .connectionLost)
            let error = await failure(connection, "SELECT 1")
            #expect(error.map { [.connectionLost, .unreachable].contains($0.code) } == true)
            #expect(await failure(connection, "SELECT 1")?.code == .unreachable)
            try await peer.restart()
            #expect(await failure(connection, "SELECT 1") == nil)
            #expect(await failure(holder, "SELECT 1") == nil)
        }
        peer.stop()
    }

    @Test("A server that has become a standby is left, and the next request connects again")
    func standbyIsLeft() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address) { connection in
            let write = "CREATE TABLE public.written (number integer)"
            // Of this connection alone, so another one can write.
            #expect(await failure(connection, "SET default_transaction_read_only TO on") == nil)
            let error = await failure(connection, write)
            #expect(error?.sqlState == "25006")
            #expect(error?.code == .connectionLost)
            #expect(await failure(connection, write) == nil)
        }
        peer.stop()
    }

    @Test("A server that doesn't answer in time counts as lost")
    func silentServerIsLost() async throws {
        let peer = try await PostgresPeer.start()
        try await connected(to: peer.address, requestTimeout: .seconds(1)) { connection in
            let error = await failure(connection, "SELECT pg_sleep(600)")
            #expect(error?.code == .connectionLost)
            #expect(error?.message.contains("no answer within 1 seconds") == true)
            #expect(await failure(connection, "SELECT 1") == nil)
        }
        peer.stop()
    }

    @Test("A database or user that doesn't exist is a refusal with PostgreSQL's reason")
    func unknownDatabaseIsRefused() async throws {
        let peer = try await PostgresPeer.start()
        let addresses = [
            peer.address(user: "postgres", database: "missing"), peer.address(user: "missing"),
        ]
        for address in addresses {
            try await connected(to: address) { connection in
                let error = await failure(connection, "SELECT 1")
                #expect(error?.code == .refused)
                #expect(error?.message.contains("\"missing\" does not exist") == true)
            }
        }
        peer.stop()
    }

    @Test("Closing fails open and later requests")
    func closingFailsRequests() async throws {
        let peer = try await PostgresPeer.start()
        let connection = try PostgresConnection(PostgresOptions(address: peer.address))
        #expect(await failure(connection, "SELECT 1") == nil)
        async let waiting = failure(connection, "SELECT pg_sleep(600)")
        try await activity(of: peer, "wait_event = 'PgSleep'")
        connection.close()
        #expect(await waiting?.code == .closed)
        #expect(await failure(connection, "SELECT 1")?.code == .closed)
        peer.stop()
    }
}

/// Failures that need no server.
@Suite(.timeLimit(.minutes(10))) struct PostgresAddressTests {
    private func failure(_ address: String) async throws -> FleetError? {
        let connection = try PostgresConnection(PostgresOptions(address: address))
        defer { connection.close() }
        do throws(FleetError) {
            _ = try await connection.run(PostgresStatement("SELECT 1")())
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An address that can't be parsed is refused, and its password isn't shown",
        arguments: [
            "postgresql://user:secret%zz@host/db", "host=a password=secret port",
            "postgresql://user:p@secret@127.0.0.1/db", "postgres://user:secret/p@127.0.0.1/db",
        ]
    )
    func malformedAddressIsRefused(address: String) async throws {
        let error = try await failure(address)
        #expect(error?.code == .invalidAddress)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.isTemporary == false)
    }

    @Test("A server that doesn't exist is unreachable, and the password isn't shown")
    func missingServerIsUnreachable() async throws {
        let error = try await failure("host=/nowhere user=a password=secret dbname=b")
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("/nowhere") == true)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.isTemporary == true)
    }
}
