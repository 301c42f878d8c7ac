/// The statements about all URLs and results of a run, which a user's action runs.
enum RunStatements {
    /// All of them, for tests of their plans.
    static let all = [lockRetry, retryFailed, close, fence, results] + removal

    /// $1 host. Makes a transaction with ``retryFailed`` wait for another one. Workers don't wait.
    ///
    /// Otherwise, the second one wouldn't see results that were stored after the first one, and would
    /// queue URLs that have them.
    static let lockRetry = PostgresStatement(
        "SELECT pg_advisory_xact_lock(716421903, ($1::bigint % 2147483647)::integer)",
        name: "lock_retry"
    )

    /// $1 host. Queues the failed URLs of a host again, and returns their number.
    ///
    /// Follows ``lockRetry`` and ``FleetStatements/findByKey``; for `key >=` see
    /// ``FleetStatements/isGiven``. It locks the hosts last, so that workers don't wait while it changes many URLs.
    static let retryFailed = PostgresStatement(
        """
        WITH again AS (
            UPDATE batchfetch.url SET state = 0, attempts = 0, taken = 0,
                taken_token = NULL, due = '-infinity'
            WHERE url.host = $1::bigint AND url.state = 2
            RETURNING url.host, url.key
        ), removed AS (
            DELETE FROM batchfetch.result USING again
            WHERE result.host = again.host AND result.key = again.key AND result.key >= again.key
            RETURNING result.answered_by
        ), changes AS (
            SELECT host, sum(pending) AS pending, sum(failed) AS failed FROM (
                SELECT host, 1 AS pending, 0 AS failed FROM again
                UNION ALL SELECT answered_by, 0, 1 FROM removed
            ) AS list GROUP BY host
        ), locked AS MATERIALIZED (
            SELECT host.id FROM changes JOIN batchfetch.host ON host.id = changes.host
            ORDER BY host.name
            FOR NO KEY UPDATE OF host
        ), hosts AS (
            UPDATE batchfetch.host SET
                pending = host.pending + changes.pending,
                failed = host.failed - changes.failed,
                available_at = CASE
                    WHEN host.lease_owner IS NULL AND changes.pending > 0 THEN host.not_before
                    ELSE host.available_at END
            FROM changes JOIN locked ON locked.id = changes.host
            WHERE host.id = changes.host
        )
        SELECT count(*) FROM again
        """,
        name: "retry_failed"
    )

    /// $1 run. Closes it, once the transactions with ``lockRun`` have ended.
    static let close = PostgresStatement(
        """
        WITH locked AS MATERIALIZED (
            SELECT id FROM batchfetch.run WHERE id = $1::bigint FOR UPDATE
        )
        UPDATE batchfetch.run SET state = 'closed' FROM locked WHERE run.id = locked.id
        """
    )

    /// $1 hosts. Ends their leases for good: their owners can't store results any more.
    static let fence = PostgresStatement(
        """
        WITH locked AS MATERIALIZED (
            SELECT host.id FROM batchfetch.host WHERE host.id = ANY ($1::bigint[])
            ORDER BY host.name
            FOR NO KEY UPDATE OF host
        )
        UPDATE batchfetch.host SET
            lease_owner = NULL,
            lease_until = NULL,
            lease_token = host.lease_token + 1
        FROM locked WHERE host.id = locked.id AND host.id = ANY ($1::bigint[])
        """
    )

    /// $1 host, $2 key of the last result, $3 number. Returns keys and lines.
    static let results = PostgresStatement(
        """
        SELECT key, line FROM batchfetch.result
        WHERE host = $1::bigint AND key > $2::uuid ORDER BY key LIMIT $3::integer
        """,
        name: "results"
    )

    /// The statements that remove the host $1, in one transaction.
    static let removal = [
        "SELECT FROM batchfetch.host WHERE id = $1 FOR UPDATE",
        "DELETE FROM batchfetch.result WHERE host = $1",
        "DELETE FROM batchfetch.url WHERE host = $1",
        "DELETE FROM batchfetch.host WHERE id = $1",
    ].map { PostgresStatement($0) }
}
