public import CurlURLSession

/// Combines several adapters and retriers, which run in order.
///
/// Each adapter receives the request that the previous one returned, until one throws. Retriers are
/// called until one returns a result other than ``RetryResult/doNotRetry``.
public struct Interceptor: RequestInterceptor {
    /// The adapters, in the order in which they are called.
    public let adapters: [any RequestAdapter]
    /// The retriers, in the order in which they are called.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor from several parts.
    ///
    /// - Parameters:
    ///   - adapters: Called before those of `interceptors`.
    ///   - retriers: Called before those of `interceptors`.
    ///   - interceptors: Added to both lists.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Combines two interceptors, each of which may be `nil`.
    static func joined(
        _ first: (any RequestInterceptor)?,
        _ second: (any RequestInterceptor)?
    ) -> (any RequestInterceptor)? {
        guard let first else { return second }
        guard let second else { return first }
        return Interceptor(interceptors: [first, second])
    }

    /// Returns the request after all adapters have adapted it in order.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        var request = request
        for adapter in adapters { request = try await adapter.adapt(request, for: attempt) }
        return request
    }

    /// Returns the first result other than `doNotRetry`.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(attempt, dueTo: error)
            if case .doNotRetry = result { continue }
            return result
        }
        return .doNotRetry
    }
}

/// Adapts requests with a closure.
///
/// ```swift
/// manager.interceptor = Adapter { request, _ in
///     var request = request
///     request.setValue("Bearer \(await tokens.current)", forHTTPHeaderField: "Authorization")
///     return request
/// }
/// ```
public struct Adapter: RequestInterceptor {
    /// See ``RequestAdapter/adapt(_:for:)``.
    public typealias Body =
        @Sendable (_ request: URLRequest, _ attempt: RequestAttempt) async throws -> URLRequest

    private let body: Body

    /// Creates an adapter.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// Returns the result of the closure.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        try await body(request, attempt)
    }
}

/// Decides with a closure whether failed attempts are retried.
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

    /// Returns the result of the closure.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        await body(attempt, error)
    }
}
