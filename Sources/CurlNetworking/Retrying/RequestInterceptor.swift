public import CurlURLSession

/// Changes requests, and decides whether those that failed are tried again. What isn't implemented leaves
/// all as it is.
///
/// ```swift
/// let manager = HTTPSessionManager(baseURL: url)
/// manager.interceptor = RetryPolicy()
/// ```
///
/// Attempts are one task for who has created it: it can be cancelled and suspended at any time, also while
/// an interceptor thinks or a delay passes; its completion is called once, with what the last attempt came
/// to; what there is of an earlier one's response isn't in it; progress begins again with each attempt; and
/// its metrics have the transactions of all. What was told of an earlier attempt to handlers for all tasks,
/// of its response for instance, was told.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// The request as it is.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        request
    }

    /// The failure is final, unless another retrier knows better.
    public func retry(
        _ attempt: RequestAttempt,
        dueTo error: any Error
    ) async -> RetryResult {
        .doNotRetry
    }
}
