/// The tables of fleets, in the schema `batchfetch` of a database.
///
/// - `run` has the options of a run. `worker` has the processes that work on it,
///   each with the number of its results now and at two earlier times.
/// - `host` is what a worker leases. Its token grows at each lease and each return, so a worker that
///   lost a lease can't change anything. `pending` counts the URLs in its queue. No worker can
///   lease it before `available_at`, which is later than `lease_until`: the owner aborts requests
///   meanwhile. `feedback` and `robots` are for the next owner: the adaptive limit and the breaker,
///   and the rules of robots.txt until `robots_until`.
///   `returned_token` is the token since the last return: the difference is the number of leases
///   since then.
/// - `url` has the state 0 in a queue, 2 failed, and 3 while a continuation of it waits in the queue
///   of a redirect's target. A continuation is a row with an origin. A fetched URL has no row, or the
///   state 1. A lease isn't noted in `url`: a worker's URLs are in the queue again when its lease has
///   ended.
///   `taken` counts the leases of the host in which a worker took the URL, up to that with
///   `taken_token`, once some were lost.
/// - `result` has the accepted result of each completed URL, under the URL's own host.
///   `answered_by` is the host in whose counts it is.
///
/// Times are those of the database alone.
package enum FleetSchema {
    /// The version of these tables. A program refuses a newer one.
    package static let version = 1

    /// The number of parts of `url` and `result`, each with the hosts of one hash.
    static let partCount = 16

    /// The statements that make the tables, in order.
    static let statements: [PostgresStatement] = definitions.map { PostgresStatement($0) }

    /// The statement that reads ``version`` of the tables of a database.
    static let readVersion = PostgresStatement("SELECT version FROM batchfetch.schema_version")

    /// Makes concurrent installations wait for each other. Its number is that of no other program.
    static let lockInstallation = PostgresStatement(
        "SELECT pg_advisory_xact_lock(7164219034217905507)"
    )

    /// What a user with the right to make a schema has to run, as a script.
    package static var script: String {
        "BEGIN;\n" + definitions.map { $0 + ";\n" }.joined() + "COMMIT;\n"
    }

    private static let definitions: [String] =
        [
            "CREATE SCHEMA IF NOT EXISTS batchfetch",
            """
            CREATE TABLE batchfetch.run (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text NOT NULL UNIQUE,
                identity uuid NOT NULL DEFAULT gen_random_uuid(),
                options text NOT NULL,
                state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused', 'closed')),
                created_at timestamptz NOT NULL DEFAULT statement_timestamp()
            )
            """,
            """
            CREATE TABLE batchfetch.worker (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                run bigint NOT NULL REFERENCES batchfetch.run ON DELETE CASCADE,
                name text NOT NULL,
                started_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                seen_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                accepted bigint NOT NULL DEFAULT 0,
                sampled_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                sampled bigint NOT NULL DEFAULT 0,
                earlier_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                earlier bigint NOT NULL DEFAULT 0
            )
            """,
            "CREATE INDEX worker_run ON batchfetch.worker (run, id)",
            """
            CREATE TABLE batchfetch.host (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                run bigint NOT NULL REFERENCES batchfetch.run ON DELETE CASCADE,
                name text COLLATE "C" NOT NULL,
                pending bigint NOT NULL DEFAULT 0,
                fetched bigint NOT NULL DEFAULT 0,
                failed bigint NOT NULL DEFAULT 0,
                lease_owner bigint,
                lease_token bigint NOT NULL DEFAULT 0,
                lease_until timestamptz,
                returned_token bigint NOT NULL DEFAULT 0,
                not_before timestamptz NOT NULL DEFAULT '-infinity',
                available_at timestamptz NOT NULL DEFAULT '-infinity',
                feedback text,
                robots text,
                robots_until timestamptz,
                UNIQUE (run, name)
            ) WITH (
                fillfactor = 70,
                autovacuum_vacuum_scale_factor = 0.02,
                autovacuum_vacuum_threshold = 500,
                autovacuum_vacuum_cost_delay = 0
            )
            """,
            """
            CREATE INDEX host_available ON batchfetch.host (run, available_at) WHERE pending > 0
            """,
            "CREATE SEQUENCE batchfetch.url_ordinal",
            """
            CREATE TABLE batchfetch.url (
                host bigint NOT NULL,
                key uuid NOT NULL,
                ordinal bigint NOT NULL DEFAULT nextval('batchfetch.url_ordinal'),
                due timestamptz NOT NULL DEFAULT '-infinity',
                origin_host bigint,
                origin_key uuid,
                attempts integer NOT NULL DEFAULT 0,
                state smallint NOT NULL DEFAULT 0,
                taken smallint NOT NULL DEFAULT 0,
                taken_token bigint,
                url text NOT NULL,
                details text,
                PRIMARY KEY (host, key)
            ) PARTITION BY HASH (host)
            """,
            """
            CREATE INDEX url_pending ON batchfetch.url (host, due, ordinal) WHERE state = 0
            """,
            "CREATE INDEX url_failed ON batchfetch.url (host) WHERE state = 2",
            """
            CREATE TABLE batchfetch.result (
                host bigint NOT NULL,
                key uuid NOT NULL,
                answered_by bigint NOT NULL,
                worker bigint NOT NULL,
                accepted_at timestamptz NOT NULL DEFAULT statement_timestamp(),
                line text NOT NULL,
                PRIMARY KEY (host, key)
            ) PARTITION BY HASH (host)
            """,
        ] + (0..<partCount).flatMap { parts(of: $0) } + [
            "CREATE TABLE batchfetch.schema_version (version integer NOT NULL)",
            "INSERT INTO batchfetch.schema_version VALUES (\(version))",
        ]

    /// The parts of both tables with one remainder.
    ///
    /// Each URL's row is deleted, or changes a few times, and leaves the index of pending URLs then.
    /// Autovacuum removes the old entries early, so that they don't slow the queue down.
    private static func parts(of remainder: Int) -> [String] {
        let values = "FOR VALUES WITH (MODULUS \(partCount), REMAINDER \(remainder))"
        return [
            """
            CREATE TABLE batchfetch.url_\(remainder) PARTITION OF batchfetch.url \(values) WITH (
                fillfactor = 85,
                autovacuum_vacuum_scale_factor = 0.05,
                autovacuum_analyze_scale_factor = 0.05,
                autovacuum_vacuum_cost_delay = 0
            )
            """,
            """
            CREATE TABLE batchfetch.result_\(remainder) PARTITION OF batchfetch.result \(values)
            """,
        ]
    }
}
