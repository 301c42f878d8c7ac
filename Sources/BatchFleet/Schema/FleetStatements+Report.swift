/// The statements with which a worker stores what it has done. Each follows ``lock``.
extension FleetStatements {
    /// $1 hosts, $2 tokens, $3 keys, $4 states, $5 lines, $6 worker.
    ///
    /// Follows ``lock``. A URL that has a result keeps it. The first URL of a continuation keeps its
    /// row, because its host isn't locked: a list that is added at the same time may have it.
    static let accept = acceptance(
        name: "accept",
        """
        own AS (
            UPDATE batchfetch.url SET state = given.state FROM given
            WHERE \(isGiven)
                AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.state, given.line
        ), continued AS (
            DELETE FROM batchfetch.url USING given
            WHERE \(isGiven)
                AND url.origin_host IS NOT NULL
            RETURNING given.host, url.origin_host AS home, url.origin_key AS key, given.state,
                given.line
        ), origins AS (
            UPDATE batchfetch.url SET state = continued.state FROM continued
            WHERE url.host = continued.home AND url.key = continued.key
                AND url.key >= continued.key AND url.state = 3
        ), done AS (
            SELECT * FROM own UNION ALL SELECT * FROM continued
        )
        """
    )

    /// As ``accept``, for fetched URLs that no other host has passed on. $7 are their places in the
    /// table.
    ///
    /// Their rows aren't needed any more. To change the state would be slower: PostgreSQL would enter
    /// the new row into the index of keys, too.
    ///
    /// A row is found by its place without a search in an index. A row that is somewhere else now, as
    /// after `VACUUM FULL`, is found by its key. Conditions on the key are part of both: another row may
    /// have the place, and PostgreSQL may choose the index of keys, but no other one.
    static let acceptFetched = acceptance(
        name: "accept_fetched",
        hasPlaces: true,
        """
        placed AS (
            DELETE FROM batchfetch.url USING given
            WHERE \(isGiven)
                AND url.ctid = given.place AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.state, given.line
        ), missed AS MATERIALIZED (
            SELECT * FROM given
            WHERE (SELECT count(*) FROM placed) < (SELECT count(*) FROM given)
                AND (given.host, given.key) NOT IN (SELECT placed.home, placed.key FROM placed)
        ), found AS (
            DELETE FROM batchfetch.url USING missed AS given
            WHERE \(isGiven)
                AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.state, given.line
        ), done AS (
            SELECT * FROM placed UNION ALL SELECT * FROM found
        )
        """
    )

    /// `coalesce` keeps PostgreSQL from making a join of the list and the hosts: it reads each host once
    /// instead of once for each URL.
    ///
    /// - Parameters:
    ///   - hasPlaces: Whether $7 are places of rows, `given.place`.
    ///   - done: The queries that change the URLs in `given`. The last one is `done`: those that had no
    ///     result before.
    private static func acceptance(
        name: String,
        hasPlaces: Bool = false,
        _ done: String
    ) -> PostgresStatement {
        PostgresStatement(
            """
            WITH given AS MATERIALIZED (
                SELECT list.*
                FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::smallint[],
                        $5::text[]\(hasPlaces ? ", $7::tid[]" : ""))
                    AS list (host, token, key, state, line\(hasPlaces ? ", place" : ""))
                WHERE coalesce(
                    (list.host, list.token) IN (
                        SELECT host.id, host.lease_token FROM batchfetch.host
                        WHERE host.id = ANY ($1::bigint[])
                    ),
                    false
                )
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
        WHERE \(isGiven)
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
            WHERE \(isGiven)
                AND url.origin_host IS NULL
            RETURNING given.host, url.host AS home, url.key, given.target, given.url,
                given.details, given.delay
        ), continued AS (
            DELETE FROM batchfetch.url USING given
            WHERE \(isGiven)
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
}
