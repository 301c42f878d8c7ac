/// Decides whether, and after which delay, a failed attempt is retried. Pure.
///
/// The delay is random between `0` and `min(maximumDelay, baseDelay · 2ⁿ)` ("full jitter"). A
/// server's `Retry-After` replaces the random delay, and is capped; a value of zero is ignored.
package struct RetryRules: Sendable, Hashable {
    /// The maximum number of retries.
    package var limit: Int
    /// The maximum first delay, doubled with each retry.
    package var baseDelay: Duration
    /// The maximum random delay.
    package var maximumDelay: Duration
    /// The cap for `Retry-After`.
    package var maximumRetryAfter: Duration

    package init(
        limit: Int,
        baseDelay: Duration,
        maximumDelay: Duration,
        maximumRetryAfter: Duration
    ) {
        self.limit = limit
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Decides about one failed attempt. The caller passes the random share.
    ///
    /// - Parameters:
    ///   - attempt: The number of attempts so far, from 1.
    ///   - cause: Why the attempt failed.
    ///   - isIdempotent: Whether the request may be repeated even if the server may have processed
    ///     it (RFC 9110, 9.2.2).
    ///   - retryAfter: The delay that the server requested.
    ///   - share: The random share of the maximum delay, from 0 to 1.
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

    /// The pause of a host that sent this `Retry-After`; `nil` if it is zero or less.
    ///
    /// A pause of zero would mean immediate requests for as long as the server sends it.
    package func pause(_ retryAfter: Duration) -> Duration? {
        let pause = min(retryAfter, maximumRetryAfter)
        return pause > .zero ? pause : nil
    }

    private func longestDelay(_ attempt: Int) -> Duration {
        var ceiling = max(baseDelay, .zero)
        let limit = max(maximumDelay, .zero)
        // 62 doublings turn a nanosecond into more than a century; more have no effect.
        for _ in 0..<min(attempt - 1, 62) where ceiling < limit {
            ceiling = ceiling > limit / 2 ? limit : ceiling * 2
        }
        return min(ceiling, limit)
    }
}

/// What follows a failed attempt.
package enum RetryDecision: Sendable, Hashable {
    /// No retry follows.
    case giveUp
    /// A retry follows after this time. With `holdsHost`, the server requested the delay.
    case retry(after: Duration, holdsHost: Bool)
}
