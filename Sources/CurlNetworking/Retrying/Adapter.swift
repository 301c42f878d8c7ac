public import CurlURLSession

/// Changes requests by a closure.
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

    /// What the closure makes of a request.
    public func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        try await body(request, attempt)
    }
}
