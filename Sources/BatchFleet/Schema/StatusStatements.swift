/// The statements that show what a run and its workers do. None reads `url` or `result`.
enum StatusStatements {
    /// All of them, for tests of their plans.
    static let all = [sample, summary, workers, hosts]

    /// $1 worker. Notes the number of its results each 30 seconds, for ``workers``.
    ///
    /// The earlier of two notes is 30 to 60 seconds old, or as old as the worker.
    static let sample = PostgresStatement(
        """
        UPDATE batchfetch.worker SET
            earlier_at = sampled_at,
            earlier = sampled,
            sampled_at = statement_timestamp(),
            sampled = accepted
        WHERE id = $1::bigint AND sampled_at <= statement_timestamp() - interval '30 seconds'
        """,
        name: "sample"
    )

    /// $1 run. Returns the numbers of hosts, pending, fetched and failed URLs, leased hosts, and
    /// hosts that get no request now.
    static let summary = PostgresStatement(
        """
        SELECT count(*), coalesce(sum(pending), 0), coalesce(sum(fetched), 0),
            coalesce(sum(failed), 0), count(*) FILTER (WHERE lease_until > statement_timestamp()),
            count(*) FILTER (
                WHERE pending > 0 AND greatest(
                    not_before, CASE WHEN lease_owner IS NULL THEN available_at END
                ) > statement_timestamp()
            )
        FROM batchfetch.host WHERE run = $1::bigint
        """,
        name: "status_summary"
    )

    /// $1 run, $2 number. Returns the workers that hold hosts or were seen in the last 10 minutes:
    /// number, name, hosts, results, results a second, and the seconds since their start and since
    /// they were seen last.
    static let workers = PostgresStatement(
        """
        SELECT worker.id, worker.name, coalesce(held.number, 0), worker.accepted,
            CASE WHEN worker.seen_at > statement_timestamp() - interval '60 seconds'
                THEN (worker.accepted - worker.earlier)
                    / greatest(extract(epoch FROM statement_timestamp() - worker.earlier_at), 1)
                ELSE 0 END,
            extract(epoch FROM statement_timestamp() - worker.started_at),
            extract(epoch FROM statement_timestamp() - worker.seen_at)
        FROM batchfetch.worker
        LEFT JOIN (
            SELECT lease_owner, count(*) AS number FROM batchfetch.host
            WHERE run = $1::bigint AND lease_until > statement_timestamp() GROUP BY lease_owner
        ) AS held ON held.lease_owner = worker.id
        WHERE worker.run = $1::bigint AND (
            held.number > 0 OR worker.seen_at > statement_timestamp() - interval '10 minutes'
        )
        ORDER BY worker.seen_at <= statement_timestamp() - interval '60 seconds', worker.id
        LIMIT $2::integer
        """,
        name: "status_workers"
    )

    /// $1 run, $2 number. Returns the hosts that take longest if each gets a request a second:
    /// name, pending and failed URLs, the seconds without a request, the worker that holds it, and
    /// whether its last owner left it with an open breaker.
    static let hosts = PostgresStatement(
        """
        SELECT name, pending, failed, wait, owner, broken FROM (
            SELECT name, pending, failed,
                greatest(0, extract(epoch FROM nullif(greatest(
                    not_before, CASE WHEN lease_owner IS NULL THEN available_at END
                ), '-infinity') - statement_timestamp())) AS wait,
                CASE WHEN lease_until > statement_timestamp() THEN lease_owner END AS owner,
                lease_owner IS NULL AND feedback LIKE '%"isOpen":true%' AS broken
            FROM batchfetch.host WHERE run = $1::bigint AND pending > 0
        ) AS host
        ORDER BY wait + pending DESC, name LIMIT $2::integer
        """,
        name: "status_hosts"
    )
}
