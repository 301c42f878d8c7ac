/// Decides by a closure whether what has failed is tried again.
///
/// ```swift
/// manager.interceptor = Retrier { attempt, _ in
///     attempt.statusCode == 401 && attempt.retryCount == 0 ? .retry : .doNotRetry
/// }
/// ```
public struct Retrier: RequestInterceptor {
    /// See ``RequestRetrier/retry(_:dueTo:)``.
    public typealias Body =
        @Sendable (_ attempt: RequestAttempt, _ error: any Error) async -> RetryResult

    private let body: Body

    /// Creates a retrier.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// What the closure says.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        await body(attempt, error)
    }
}
