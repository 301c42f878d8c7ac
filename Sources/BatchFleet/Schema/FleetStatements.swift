/// The statements about runs, hosts, URLs and results, except those of one table's rows. What a report
/// stores is in an extension.
///
/// A transaction that changes several hosts locks them first, in the order of their names. So no
/// two of them wait for each other.
///
/// A pending URL is found by its key, whatever PostgreSQL believes of the tables: see ``findByKey``.
enum FleetStatements {
    /// All of them, for tests of their plans.
    static let all =
        byKey + [
            lockRun, addHosts, addURLs, state, lease, slice, renew, lock, setFeedback, giveBack,
            nextAvailable, counts,
        ]

    /// Those that find URLs by their keys.
    static let byKey = [noteTaken, accept, acceptFetched, postpone, move]

    /// Precedes the statements of ``byKey``, and ``RunStatements/retryFailed``, in a transaction.
    ///
    /// If PostgreSQL believes that a part of a table has at most one row, reading a whole index costs no
    /// more than a search in it. The statistics say so after a vacuum when all rows were deleted, until
    /// the next one, however many have been added. Without this kind of scan, PostgreSQL searches an
    /// index for each key by a bitmap, which takes about 0.5 µs more. The setting can't depend on the
    /// statistics: they may change before the plan is made, which then stays.
    static let findByKey = PostgresStatement(
        "SELECT set_config('enable_indexscan', 'off', true)",
        name: "find_by_key"
    )

    /// The condition for the pending URL of a row in `given`, for a statement of ``byKey``.
    ///
    /// - `state < 1`: with `state = 0`, and without statistics of a new run, PostgreSQL takes the index
    ///   of pending URLs, and reads all of the host's for each key. For the same reason, `given`
    ///   has only the keys whose leases hold.
    /// - `key >=`: without it, and with statistics of one row, PostgreSQL expects the whole index from
    ///   a search, and doesn't consider a bitmap.
    static let isGiven =
        "url.host = given.host AND url.key = given.key AND url.key >= given.key AND url.state < 1"

    /// Ends the effect of ``findByKey``: ``giveBack`` takes the first entry of an index.
    static let findInOrder = PostgresStatement(
        "SELECT set_config('enable_indexscan', 'on', true)",
        name: "find_in_order"
    )

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
    /// Follows ``addHosts``, which has locked the hosts. A host that is leased stays so. A fetched URL
    /// has a result, but no row in `url`, unless another host has answered it.
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
            WHERE (
                SELECT result.host FROM batchfetch.result
                WHERE result.host = host.id AND result.key = given.key
            ) IS NULL
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
            CASE WHEN next.origin_host IS NULL THEN next.ctid END
        FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::integer[])
            AS lease (host, token, due, ordinal, maximum)
        JOIN batchfetch.host ON host.id = lease.host AND host.lease_token = lease.token
        JOIN batchfetch.run ON run.id = host.run AND run.state = 'open'
        CROSS JOIN LATERAL (
            SELECT url.*, url.ctid FROM batchfetch.url
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
        WHERE \(isGiven)
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
