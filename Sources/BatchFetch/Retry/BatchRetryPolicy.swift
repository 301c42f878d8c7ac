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

    /// Decides whether a failed attempt is retried. Pure: the caller passes the random share.
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
    /// A retry follows after this time. With `holdsHost`, no request to the host starts before it.
    case retry(after: Duration, holdsHost: Bool)
}

/// Limits retries to a share of all requests. Pure.
///
/// A server in trouble therefore doesn't receive several times the requests of a healthy one.
struct RetryBudget: Sendable, Hashable {
    /// Retries per first attempt.
    private let share: Double
    private var balance: Double

    /// - Parameter reserve: Retries that are available from the start, so that a short list isn't
    ///   limited by its share.
    init(share: Double, reserve: Int) {
        self.share = share
        balance = Double(reserve)
    }

    /// Adds one URL's share. Called for each first attempt.
    mutating func earn() { balance += share }

    /// Takes one retry from the budget; returns `false` if none is left.
    mutating func spend() -> Bool {
        guard balance >= 1 else { return false }
        balance -= 1
        return true
    }
}
