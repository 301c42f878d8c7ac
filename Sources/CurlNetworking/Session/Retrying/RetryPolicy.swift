internal import CurlURLSession
public import Foundation

/// Retries temporary failures of requests that are safe to repeat.
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.retryLimit = 4
/// manager.interceptor = policy
/// ```
///
/// The delay before a retry is random, from 0 to
/// `exponentialBackoffScale · exponentialBackoffBaseⁿ` after n earlier retries ("full jitter"), so
/// that many clients that failed together don't retry together. The server's `Retry-After` (RFC
/// 9110, 10.2.3), in seconds or as a date, replaces it.
///
/// Requests are retried if their method is in ``retryableHTTPMethods``. Requests of any method are
/// retried if they have an `Idempotency-Key`, with which the server recognizes a repeated request.
/// The key must be set in the task's original request, so that it is the same each time. A key that
/// an adapter adds may differ between attempts and is ignored. Requests that can't be created
/// aren't retried.
public struct RetryPolicy: RequestInterceptor, Hashable {
    /// The number of retries after the first attempt; 2 by default.
    public var retryLimit = 2

    /// The factor between successive maximum delays; 2 by default.
    public var exponentialBackoffBase = 2.0

    /// The maximum delay before the second attempt, in seconds; 0.5 by default.
    public var exponentialBackoffScale: TimeInterval = 0.5

    /// Whether delays are random, as by default; otherwise each is the maximum.
    public var usesJitter = true

    /// The limit of calculated delays, in seconds; 30 by default.
    ///
    /// It doesn't apply to delays that a server requests.
    public var maximumDelay: TimeInterval = 30

    /// The limit of server-requested delays in seconds; 120 by default.
    public var maximumRetryAfter: TimeInterval = 120

    /// The methods whose requests may be repeated.
    ///
    /// By default these are the idempotent methods (RFC 9110, 9.2.2), which `PATCH` and `POST`
    /// aren't. If you add `POST`, all of its requests may be repeated.
    public var retryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, .query, .trace,
    ]

    /// The statuses that are retried.
    ///
    /// By default 408, 425, 429, 500, 502, 503 and 504.
    public var retryableHTTPStatusCodes = Self.defaultRetryableHTTPStatusCodes

    /// The errors that are retried; ``defaultRetryableURLErrorCodes`` by default.
    public var retryableURLErrorCodes = Self.defaultRetryableURLErrorCodes

    /// The field with which a server recognizes a repeated request.
    static let idempotencyKeyField = "Idempotency-Key"

    /// Creates a policy with the defaults.
    public init() {}

    // MARK: Deciding

    /// Decides whether and when a failed attempt is retried.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        guard attempt.retryCount < retryLimit, mayRepeat(attempt),
            isPassing(error, attempt.statusCode)
        else { return .doNotRetry }
        return .retryWithDelay(
            delay(
                before: attempt.retryCount + 1,
                retryAfter: (attempt.response as? HTTPURLResponse)?.retryAfter(),
                share: .random(in: 0...1)
            )
        )
    }

    /// Whether the request is safe to repeat.
    ///
    /// A retry sends the task's original request, not that of a redirect.
    private func mayRepeat(_ attempt: RequestAttempt) -> Bool {
        guard let request = attempt.originalRequest else { return false }
        let method = HTTPMethod((request.httpMethod ?? "GET").uppercased())
        return retryableHTTPMethods.contains(method)
            || request.value(forHTTPHeaderField: Self.idempotencyKeyField) != nil
    }

    /// Whether the failure may be temporary.
    ///
    /// That depends on its status, its error or the error's cause.
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

    /// The delay before an attempt in seconds.
    ///
    /// - Parameters:
    ///   - retryCount: The number of attempts so far, from 1.
    ///   - retryAfter: The delay that the server requests.
    ///   - share: The random fraction of the maximum delay, from 0 to 1.
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

/// Retries attempts that failed because the connection was lost, and no others.
///
/// An idle connection may be closed by the server just when a request is sent over it. Requests
/// that aren't safe to repeat aren't retried; see ``RetryPolicy``.
public struct ConnectionLostRetryPolicy: RequestInterceptor, Hashable {
    /// The limit, delays, methods and error codes of the policy.
    ///
    /// By default its only code is that of a lost connection; others may be added.
    public var policy: RetryPolicy

    /// Creates a policy with the limit and the delays of ``RetryPolicy``.
    public init(retryLimit: Int = 2) {
        policy = RetryPolicy()
        policy.retryLimit = retryLimit
        policy.retryableHTTPStatusCodes = []
        policy.retryableURLErrorCodes = [.networkConnectionLost]
    }

    /// Decides whether and when a failed attempt is retried.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        await policy.retry(attempt, dueTo: error)
    }
}
