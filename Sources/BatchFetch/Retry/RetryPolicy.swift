/// When a URL that failed is tried again, and how long after.
///
/// The time between two attempts is drawn from `0 ... min(maximumDelay, baseDelay · 2ⁿ)` ("full
/// jitter"): many clients that failed together don't come back together. A `Retry-After` of the
/// server replaces the drawn time, holds for the whole host, and is capped; one that asks for no time at
/// all counts as none.
public struct RetryPolicy: Sendable, Hashable {
    /// How many further attempts follow the first; 0 for none.
    public var limit: Int
    /// The upper end of the first delay; doubled with every further attempt.
    public var baseDelay: Duration
    /// No drawn delay is longer.
    public var maximumDelay: Duration
    /// A `Retry-After` counts as this where it asks for more.
    public var maximumRetryAfter: Duration

    /// How many further attempts there may be for each URL, of all URLs together, beside
    /// ``budgetReserve``: 0.2 unless told otherwise. A server in trouble is spared by that. Attempts
    /// after a `Retry-After` don't count.
    public var budgetShare = 0.2
    /// Further attempts that are there from the start; 100 unless told otherwise.
    public var budgetReserve = 100
    /// Whether a request that isn't idempotent (`POST`, `PATCH`) and has no `Idempotency-Key` is
    /// repeated though the server may have acted on it. Off unless told otherwise.
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

    /// A policy under which each URL is tried once.
    public static let never = RetryPolicy(limit: 0)

    /// Decides what follows an attempt that failed. Pure: what is left to chance comes as an argument.
    ///
    /// - Parameters:
    ///   - attempt: How many attempts there have been, from 1.
    ///   - cause: What happened.
    ///   - isIdempotent: Whether the request may be repeated though the server may have acted on it
    ///     (RFC 9110, 9.2.2).
    ///   - retryAfter: What the server asked for.
    ///   - share: The part of the longest delay that was drawn, from 0 to 1.
    package func decision(
        afterAttempt attempt: Int,
        cause: RetryCause,
        isIdempotent: Bool = true,
        retryAfter: Duration? = nil,
        share: Double
    ) -> RetryDecision {
        guard attempt > 0, attempt <= limit, cause.isRetryable(isIdempotent: isIdempotent) else {
            return .giveUp
        }
        if let pause = retryAfter.flatMap(pause) {
            return .retry(after: pause, holdsHost: true)
        }
        return .retry(after: longestDelay(attempt) * share, holdsHost: false)
    }

    /// How long a host is left alone that asked for so long; `nil` where that is no time: it would be
    /// asked again at once, and as often as it says so.
    package func pause(_ retryAfter: Duration) -> Duration? {
        let pause = min(retryAfter, maximumRetryAfter)
        return pause > .zero ? pause : nil
    }

    private func longestDelay(_ attempt: Int) -> Duration {
        var ceiling = max(baseDelay, .zero)
        let limit = max(maximumDelay, .zero)
        // 62 doublings make a nanosecond a century: more change nothing.
        for _ in 0..<min(attempt - 1, 62) where ceiling < limit {
            ceiling = ceiling > limit / 2 ? limit : ceiling * 2
        }
        return min(ceiling, limit)
    }
}
