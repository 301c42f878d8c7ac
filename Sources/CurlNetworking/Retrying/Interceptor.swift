public import CurlURLSession

/// Asks several adapters and retriers in order.
///
/// Each adapter is given what the one before it has made, until one throws. Retriers are asked until one has
/// anything else to say than ``RetryResult/doNotRetry``.
public struct Interceptor: RequestInterceptor {
    /// Who changes requests, in this order.
    public let adapters: [any RequestAdapter]
    /// Who decides about failures, in this order.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor of parts.
    ///
    /// - Parameters:
    ///   - adapters: Come before those of `interceptors`.
    ///   - retriers: Come before those of `interceptors`.
    ///   - interceptors: Do both.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// One after the other, or the one that there is; `nil` for neither.
    static func joined(
        _ first: (any RequestInterceptor)?,
        _ second: (any RequestInterceptor)?
    ) -> (any RequestInterceptor)? {
        guard let first else { return second }
        guard let second else { return first }
        return Interceptor(interceptors: [first, second])
    }

    /// What the adapters make of a request, one after the other.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        var request = request
        for adapter in adapters { request = try await adapter.adapt(request, for: attempt) }
        return request
    }

    /// What the first retrier says that has something to say.
    public func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(attempt, dueTo: error)
            if case .doNotRetry = result { continue }
            return result
        }
        return .doNotRetry
    }
}
