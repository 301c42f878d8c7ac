package import CurlResilience

/// When, and after which delay, a failed URL is retried.
///
/// The delay is random between `0` and `min(maximumDelay, baseDelay · 2ⁿ)` ("full jitter"), so that
/// clients that failed together don't return together. A server's `Retry-After` replaces the random
/// delay, applies to the whole host, and is capped; a value of zero is ignored.
public struct BatchRetryPolicy: Sendable, Hashable {
    /// The maximum number of retries per URL; 3 by default, 0 for none.
    public var limit: Int
    /// The maximum first delay, doubled with each retry; 500 ms by default.
    public var baseDelay: Duration
    /// The maximum random delay; 30 s by default.
    public var maximumDelay: Duration
    /// The cap for `Retry-After`; 120 s by default.
    public var maximumRetryAfter: Duration

    /// Retries per URL over the whole run, in addition to ``budgetReserve``; 0.2 by default.
    ///
    /// This protects a server in trouble. Retries after a `Retry-After` don't count.
    public var budgetShare = 0.2
    /// Retries that are available from the start; 100 by default.
    public var budgetReserve = 100
    /// Whether non-idempotent requests are retried after the server may have processed them.
    ///
    /// It concerns requests such as `POST` and `PATCH` without an `Idempotency-Key`; `false` by
    /// default.
    public var repeatsUnsafeRequests = false

    /// Creates a policy.
    public init(
        limit: Int = 3,
        baseDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(30),
        maximumRetryAfter: Duration = .seconds(120)
    ) {
        self.limit = limit
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// A policy without retries.
    public static let never = BatchRetryPolicy(limit: 0)

    /// The rules of this policy for single attempts.
    package var rules: RetryRules {
        RetryRules(
            limit: limit,
            baseDelay: baseDelay,
            maximumDelay: maximumDelay,
            maximumRetryAfter: maximumRetryAfter
        )
    }
}
