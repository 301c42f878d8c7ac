/// The statements about runs, hosts, URLs and results, except those of one table's rows.
///
/// A transaction that changes several hosts locks them first, in the order of their names. So no
/// two of them wait for each other.
///
/// Where a pending URL is found by its key, the condition is `state < 1`. With `state = 0`, and
/// without statistics of a new run, PostgreSQL takes the index of pending URLs, and reads all of the
/// host's for each key. For the same reason, the list of keys is joined with the hosts first.
enum FleetStatements {
    /// All of them, for tests of their plans.
    static let all = [
        lockRun, addHosts, addURLs, state, lease, slice, noteTaken, renew, lock, accept, acceptOwn,
        postpone, move, setFeedback, giveBack, nextAvailable, counts,
    ]

    /// $1 run. Returns its state, which stays so until the end of the transaction unless the run is
    /// paused or resumed.
    ///
    /// Comes before ``addHosts``: ``RunStatements/close`` waits for what is being added.
    static let lockRun = PostgresStatement(
        "SELECT state FROM batchfetch.run WHERE id = $1::bigint FOR KEY SHARE",
        name: "lock_run"
    )

    /// $1 run, $2 names.
    static let addHosts = PostgresStatement(
        """
        INSERT INTO batchfetch.host AS known (run, name)
        SELECT $1::bigint, given.name
        FROM (SELECT DISTINCT name COLLATE "C" AS name FROM unnest($2::text[]) AS list (name))
            AS given
        JOIN batchfetch.run ON run.id = $1::bigint AND run.state <> 'closed'
        ORDER BY given.name
        ON CONFLICT (run, name) DO UPDATE SET name = known.name
        """,
        name: "add_hosts"
    )

    /// $1 run, $2 hosts' names, $3 keys, $4 URLs, $5 details. Returns the number of new ones.
    ///
    /// Follows ``addHosts``, which has locked the hosts. A host that is leased stays so.
    static let addURLs = PostgresStatement(
        """
        WITH new AS (
            INSERT INTO batchfetch.url (host, key, url, details)
            SELECT host.id, given.key, given.url, given.details
            FROM unnest($2::text[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY
                AS given (host, key, url, details, place)
            JOIN batchfetch.host
                ON host.run = $1::bigint AND host.name = given.host COLLATE "C"
            JOIN batchfetch.run ON run.id = $1::bigint AND run.state <> 'closed'
            ORDER BY given.place
            ON CONFLICT (host, key) DO NOTHING
            RETURNING host
        ), counted AS (
            SELECT host, count(*) AS number FROM new GROUP BY host
        ), changed AS (
            UPDATE batchfetch.host SET
                pending = host.pending + counted.number,
                available_at = CASE WHEN host.lease_owner IS NULL THEN host.not_before
                    ELSE host.available_at END
            FROM counted WHERE host.id = counted.host
        )
        SELECT count(*) FROM new
        """,
        name: "add_urls"
    )

    /// $1 run. Returns its state, no row if it was dropped.
    static let state = PostgresStatement(
        "SELECT state FROM batchfetch.run WHERE id = $1::bigint",
        name: "state"
    )

    /// $1 run, $2 worker, $3 number, $4 seconds, $5 seconds from the lease's end to the next one.
    static let lease = PostgresStatement(
        """
        WITH picked AS (
            SELECT host.id FROM batchfetch.host
            WHERE host.run = $1::bigint AND host.pending > 0
                AND host.available_at <= statement_timestamp()
                AND (SELECT state FROM batchfetch.run WHERE id = $1::bigint) = 'open'
            ORDER BY host.available_at
            LIMIT $3::integer
            FOR NO KEY UPDATE OF host SKIP LOCKED
        )
        UPDATE batchfetch.host SET
            lease_owner = $2::bigint,
            lease_token = host.lease_token + 1,
            lease_until = statement_timestamp() + make_interval(secs => $4::float8),
            available_at =
                statement_timestamp() + make_interval(secs => $4::float8 + $5::float8)
        FROM picked WHERE host.id = picked.id
        RETURNING host.id, host.lease_token, host.name, host.pending, host.feedback,
            CASE WHEN host.robots_until > statement_timestamp() THEN host.robots END,
            extract(epoch FROM host.robots_until - statement_timestamp()),
            host.lease_token - host.returned_token - 1
        """,
        name: "lease"
    )

    /// $1 hosts, $2 tokens, $3 dues and $4 ordinals of the last URLs, $5 maximum numbers.
    ///
    /// None of a paused or closed run, whose hosts their owners give back then. The token isn't
    /// locked: a slice that comes too late leads to results that are refused.
    static let slice = PostgresStatement(
        """
        SELECT next.host, next.key, next.due, next.ordinal, next.attempts, next.url, next.details,
            CASE WHEN next.taken_token > host.returned_token
                THEN next.taken - (next.taken_token = lease.token)::integer
                ELSE 0 END,
            next.origin_host IS NULL
        FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::integer[])
            AS lease (host, token, due, ordinal, maximum)
        JOIN batchfetch.host ON host.id = lease.host AND host.lease_token = lease.token
        JOIN batchfetch.run ON run.id = host.run AND run.state = 'open'
        CROSS JOIN LATERAL (
            SELECT url.* FROM batchfetch.url
            WHERE url.host = lease.host AND url.state = 0
                AND url.due <= statement_timestamp()
                AND (url.due, url.ordinal) > (lease.due, lease.ordinal)
            ORDER BY url.due, url.ordinal
            LIMIT lease.maximum
        ) AS next
        """,
        name: "slice"
    )

    /// $1 hosts, $2 tokens, $3 keys. Follows ``lock``. Counts each URL once in a lease.
    static let noteTaken = PostgresStatement(
        """
        WITH given AS MATERIALIZED (
            SELECT list.host, list.token, list.key, host.returned_token
            FROM unnest($1::bigint[], $2::bigint[], $3::uuid[]) AS list (host, token, key)
            JOIN batchfetch.host ON host.id = list.host AND host.lease_token = list.token
        )
        UPDATE batchfetch.url SET
            taken = 1 + CASE WHEN url.taken_token > given.returned_token THEN url.taken ELSE 0 END,
            taken_token = given.token
        FROM given
        WHERE url.host = given.host AND url.key = given.key AND url.state < 1
            AND url.taken_token IS DISTINCT FROM given.token
        """,
        name: "note_taken"
    )

    /// $1 hosts, $2 tokens, $3 seconds, $4 seconds from the lease's end to the next one of each,
    /// $5 worker.
    ///
    /// Follows ``lock``. Returns the hosts whose lease holds.
    static let renew = PostgresStatement(
        """
        WITH seen AS (
            UPDATE batchfetch.worker SET seen_at = statement_timestamp() WHERE id = $5::bigint
        )
        UPDATE batchfetch.host SET
            lease_until = statement_timestamp() + make_interval(secs => $3::float8),
            available_at = greatest(
                host.not_before,
                statement_timestamp() + make_interval(secs => $3::float8 + lease.pause)
            )
        FROM unnest($1::bigint[], $2::bigint[], $4::float8[]) AS lease (host, token, pause)
        WHERE host.id = lease.host AND host.lease_token = lease.token
        RETURNING host.id, host.lease_token
        """,
        name: "renew"
    )

    /// $1 run, $2 hosts, $3 tokens, $4 names of further hosts. Returns the hosts whose lease holds.
    static let lock = PostgresStatement(
        """
        WITH locked AS MATERIALIZED (
            SELECT host.id, host.lease_token FROM batchfetch.host
            WHERE host.id IN (
                SELECT unnest($2::bigint[])
                UNION SELECT target.id FROM unnest($4::text[]) AS given (name)
                JOIN batchfetch.host AS target
                    ON target.run = $1::bigint AND target.name = given.name COLLATE "C"
            )
            ORDER BY host.name
            FOR NO KEY UPDATE OF host
        )
        SELECT locked.id, locked.lease_token FROM locked
        JOIN unnest($2::bigint[], $3::bigint[]) AS lease (host, token)
            ON locked.id = lease.host AND locked.lease_token = lease.token
        """,
        name: "lock"
    )

    /// $1 hosts, $2 tokens, $3 keys, $4 states, $5 lines, $6 worker.
    ///
    /// Follows ``lock``. A URL that has a result keeps it.
    static let accept = acceptance(
        name: "accept",
        """
        own AS (
            \(ownResults)
        ), continued AS (
            DELETE FROM batchfetch.url USING given
            WHERE url.host = given.host AND url.key = given.key AND url.state < 1
                AND url.origin_host IS NOT NULL
            RETURNING given.host, url.origin_host AS home, url.origin_key AS key, given.state,
                given.line
        ), origins AS (
            UPDATE batchfetch.url SET state = continued.state FROM continued
            WHERE url.host = continued.home AND url.key = continued.key AND url.state = 3
        ), done AS (
            SELECT * FROM own UNION ALL SELECT * FROM continued
        )
        """
    )

    /// As ``accept``, for URLs that no other host has passed on: it searches for each only once.
    static let acceptOwn = acceptance(name: "accept_own", "done AS (\(ownResults))")

    private static let ownResults = """
        UPDATE batchfetch.url SET state = given.state FROM given
            WHERE url.host = given.host AND url.key = given.key AND url.state < 1
                AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.state, given.line
        """

    /// - Parameter done: The queries that set the states of the URLs in `given`. The last one is `done`:
    ///   the URLs that had no result before.
    private static func acceptance(name: String, _ done: String) -> PostgresStatement {
        PostgresStatement(
            """
            WITH given AS MATERIALIZED (
                SELECT list.host, list.key, list.state, list.line
                FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::smallint[], $5::text[])
                    AS list (host, token, key, state, line)
                JOIN batchfetch.host ON host.id = list.host AND host.lease_token = list.token
            ), \(done), added AS (
                INSERT INTO batchfetch.result (host, key, answered_by, worker, line)
                SELECT done.home, done.key, done.host, $6::bigint, done.line FROM done
            ), counted AS (
                SELECT host, count(*) AS number, count(*) FILTER (WHERE state = 2) AS failed
                FROM done GROUP BY host
            ), hosts AS (
                UPDATE batchfetch.host SET
                    pending = host.pending - counted.number,
                    fetched = host.fetched + counted.number - counted.failed,
                    failed = host.failed + counted.failed
                FROM counted WHERE host.id = counted.host
            )
            UPDATE batchfetch.worker SET
                seen_at = statement_timestamp(),
                accepted = worker.accepted + (SELECT count(*) FROM done)
            WHERE worker.id = $6::bigint
            """,
            name: name
        )
    }

    /// $1 hosts, $2 tokens, $3 keys, $4 attempts, $5 seconds, $6 details. Follows ``lock``.
    static let postpone = PostgresStatement(
        """
        WITH given AS MATERIALIZED (
            SELECT list.host, list.key, list.attempts, list.delay, list.details
            FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::integer[], $5::float8[],
                    $6::text[]) AS list (host, token, key, attempts, delay, details)
            JOIN batchfetch.host ON host.id = list.host AND host.lease_token = list.token
        )
        UPDATE batchfetch.url SET
            attempts = given.attempts,
            due = statement_timestamp() + make_interval(secs => given.delay),
            details = given.details
        FROM given
        WHERE url.host = given.host AND url.key = given.key AND url.state < 1
        """,
        name: "postpone"
    )

    /// $1 run, $2 hosts, $3 tokens, $4 keys, $5 targets' names, $6 URLs, $7 details,
    /// $8 seconds.
    ///
    /// Follows ``lock`` with the names of the targets, which exist.
    static let move = PostgresStatement(
        """
        WITH given AS MATERIALIZED (
            SELECT list.host, list.key, target.id AS target, list.url, list.details,
                list.delay
            FROM unnest($2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::text[],
                    $7::text[], $8::float8[]) AS list (host, token, key, target, url, details, delay)
            JOIN batchfetch.host ON host.id = list.host AND host.lease_token = list.token
            JOIN batchfetch.host AS target
                ON target.run = $1::bigint AND target.name = list.target COLLATE "C"
        ), own AS (
            UPDATE batchfetch.url SET state = 3 FROM given
            WHERE url.host = given.host AND url.key = given.key AND url.state < 1
                AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.target, given.url,
                given.details, given.delay
        ), continued AS (
            DELETE FROM batchfetch.url USING given
            WHERE url.host = given.host AND url.key = given.key AND url.state < 1
                AND url.origin_host IS NOT NULL
            RETURNING given.host, url.origin_host AS home, url.origin_key AS key, given.target,
                given.url, given.details, given.delay
        ), moved AS (
            SELECT * FROM own UNION ALL SELECT * FROM continued
        ), added AS (
            INSERT INTO batchfetch.url (host, key, origin_host, origin_key, url, details, due)
            SELECT target, md5(home || '/' || key)::uuid, home, key, url, details,
                CASE WHEN delay > 0 THEN statement_timestamp() + make_interval(secs => delay)
                    ELSE '-infinity' END
            FROM moved
        ), counted AS (
            SELECT host, sum(number) AS number FROM (
                SELECT host, -1 AS number FROM moved UNION ALL SELECT target, 1 FROM moved
            ) AS changes GROUP BY host
        )
        UPDATE batchfetch.host SET
            pending = host.pending + counted.number,
            available_at = CASE WHEN host.lease_owner IS NULL THEN host.not_before
                ELSE host.available_at END
        FROM counted WHERE host.id = counted.host
        """,
        name: "move"
    )

    /// $1 hosts, $2 tokens, $3 seconds until the next request, $4 feedback, $5 rules of
    /// robots.txt, $6 seconds for which these are valid. Follows ``lock``.
    static let setFeedback = PostgresStatement(
        """
        UPDATE batchfetch.host SET
            not_before = greatest(
                host.not_before,
                statement_timestamp() + make_interval(secs => given.delay)
            ),
            available_at = greatest(
                host.available_at,
                statement_timestamp() + make_interval(secs => given.delay)
            ),
            feedback = coalesce(given.feedback, host.feedback),
            robots = coalesce(given.robots, host.robots),
            robots_until = CASE WHEN given.robots IS NULL THEN host.robots_until
                ELSE statement_timestamp() + make_interval(secs => given.lifetime) END
        FROM unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[], $5::text[],
                $6::float8[]) AS given (host, token, delay, feedback, robots, lifetime)
        WHERE host.id = given.host AND host.lease_token = given.token
        """,
        name: "set_feedback"
    )

    /// $1 hosts, $2 tokens. Follows ``lock``. The tokens are invalid afterwards.
    static let giveBack = PostgresStatement(
        """
        UPDATE batchfetch.host SET
            lease_owner = NULL,
            lease_until = NULL,
            lease_token = host.lease_token + 1,
            returned_token = host.lease_token + 1,
            available_at = greatest(
                host.not_before,
                (
                    SELECT url.due FROM batchfetch.url
                    WHERE url.host = host.id AND url.state = 0
                    ORDER BY url.due, url.ordinal LIMIT 1
                )
            )
        FROM unnest($1::bigint[], $2::bigint[]) AS given (host, token)
        WHERE host.id = given.host AND host.lease_token = given.token
        """,
        name: "give_back"
    )

    /// $1 run. Returns the seconds until a host is available; no row if no URL is pending.
    static let nextAvailable = PostgresStatement(
        """
        SELECT CASE WHEN available_at <= statement_timestamp() THEN 0
            ELSE extract(epoch FROM available_at - statement_timestamp()) END
        FROM batchfetch.host WHERE run = $1::bigint AND pending > 0
        ORDER BY available_at LIMIT 1
        """,
        name: "next_available"
    )

    /// $1 run. Returns the numbers of hosts, pending, fetched and failed URLs, and leased hosts.
    static let counts = PostgresStatement(
        """
        SELECT count(*), coalesce(sum(pending), 0), coalesce(sum(fetched), 0),
            coalesce(sum(failed), 0), count(*) FILTER (WHERE lease_until > statement_timestamp())
        FROM batchfetch.host WHERE run = $1::bigint
        """,
        name: "counts"
    )
}
