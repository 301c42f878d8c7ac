internal import Foundation

/// Tries again what failed because a connection was lost, and nothing else: a connection that was kept open
/// may end just when a request is sent over it.
///
/// What can't be repeated without harm isn't; see ``RetryPolicy``.
public struct ConnectionLostRetryPolicy: RequestInterceptor, Hashable {
    /// How often, after how long, and of which methods. Its codes are those of a connection that was lost;
    /// others may be added.
    public var policy: RetryPolicy

    /// Creates a policy with the limit and the delays of ``RetryPolicy``.
    public init(retryLimit: Int = 2) {
        policy = RetryPolicy()
        policy.retryLimit = retryLimit
        policy.retryableHTTPStatusCodes = []
        policy.retryableURLErrorCodes = [.networkConnectionLost]
    }

    /// Whether an attempt that has failed is repeated, and when.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        await policy.retry(attempt, dueTo: error)
    }
}
