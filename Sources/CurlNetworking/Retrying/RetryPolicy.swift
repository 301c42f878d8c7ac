internal import CurlURLSession
public import Foundation

/// Tries again what may pass by itself, and does no harm if the server has acted on it before.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.retryLimit = 4
/// manager.interceptor = policy
/// ```
///
/// The time between two attempts is drawn from 0 to
/// `exponentialBackoffScale · exponentialBackoffBaseⁿ`, after n earlier attempts ("full jitter"): many
/// clients that failed together don't come back together. What the server asks for by `Retry-After`
/// (RFC 9110, 10.2.3), in seconds or as a date, takes its place.
///
/// Requests are repeated whose method is among ``retryableHTTPMethods``, and those of any method with an
/// `Idempotency-Key`, by which the server knows a request again. The key has to be the task's own, which is
/// the same each time: one that an adapter adds may be another one with each attempt, and doesn't count.
/// Requests that can't be made aren't repeated.
public struct RetryPolicy: RequestInterceptor, Hashable {
    /// How many further attempts follow the first; 2 by default.
    public var retryLimit = 2

    /// What the time between attempts is multiplied by each time; 2 by default.
    public var exponentialBackoffBase = 2.0

    /// How many seconds there are at most before the second attempt; 0.5 by default.
    public var exponentialBackoffScale: TimeInterval = 0.5

    /// Whether delays are drawn, as by default; else each is as long as it may be.
    public var usesJitter = true

    /// No delay is longer than so many seconds but what a server asks for; 30 by default.
    public var maximumDelay: TimeInterval = 30

    /// What a server asks for counts as so many seconds where it is more; 120 by default.
    public var maximumRetryAfter: TimeInterval = 120

    /// Methods whose requests can be repeated: by default those that are idempotent (RFC 9110, 9.2.2), which
    /// `PATCH` and `POST` aren't. With `POST` among them, all of its requests are repeated.
    public var retryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, .query, .trace,
    ]

    /// Statuses that may pass; by default 408, 429, 500, 502, 503 and 504.
    public var retryableHTTPStatusCodes = Self.defaultRetryableHTTPStatusCodes

    /// Errors that may pass; by default those of ``defaultRetryableURLErrorCodes``.
    public var retryableURLErrorCodes = Self.defaultRetryableURLErrorCodes

    /// The field by which a server knows a request again that is repeated.
    static let idempotencyKeyField = "Idempotency-Key"

    /// Creates a policy with the defaults.
    public init() {}

    // MARK: Deciding

    /// Whether an attempt that has failed is repeated, and when.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        guard attempt.retryCount < retryLimit, mayRepeat(attempt),
            isPassing(error, attempt.statusCode)
        else { return .doNotRetry }
        return .retryWithDelay(
            delay(
                before: attempt.retryCount + 1,
                retryAfter: RetryAfter.delay(of: attempt.response),
                share: .random(in: 0...1)
            )
        )
    }

    /// Whether it does no harm to send a request again: it is the task's own that would be sent, and not
    /// where a redirect has led.
    private func mayRepeat(_ attempt: RequestAttempt) -> Bool {
        guard let request = attempt.originalRequest else { return false }
        let method = HTTPMethod((request.httpMethod ?? "GET").uppercased())
        return retryableHTTPMethods.contains(method)
            || request.value(forHTTPHeaderField: Self.idempotencyKeyField) != nil
    }

    /// Whether the reason may pass: the status, where there is one, or the error, or what has caused it.
    func isPassing(_ error: any Error, _ statusCode: Int?) -> Bool {
        if let statusCode, retryableHTTPStatusCodes.contains(statusCode) { return true }
        var next: (any Error)? = error
        while let current = next {
            if let error = current as? URLError {
                return retryableURLErrorCodes.contains(error.code)
            }
            next = (current as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return false
    }

    /// How many seconds pass before an attempt.
    ///
    /// - Parameters:
    ///   - retryCount: How many attempts there were, from 1.
    ///   - retryAfter: What the server asks for.
    ///   - share: The part of the longest delay that was drawn, from 0 to 1.
    func delay(
        before retryCount: Int,
        retryAfter: TimeInterval?,
        share: Double
    ) -> TimeInterval {
        if let retryAfter { return min(max(0, retryAfter), max(0, maximumRetryAfter)) }
        let growth = pow(max(0, exponentialBackoffBase), Double(max(0, retryCount - 1)))
        let longest = min(max(0, exponentialBackoffScale * growth), max(0, maximumDelay))
        return usesJitter ? longest * share : longest
    }
}
