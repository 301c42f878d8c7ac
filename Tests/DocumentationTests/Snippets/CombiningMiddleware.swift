internal import CurlNetworking
internal import CurlResilience
internal import CurlTransport
internal import Foundation

/// What the page "Combine middleware" shows.
enum CombiningMiddleware {
    static func client(
        logIn: @escaping @Sendable () async throws -> AccessToken
    ) throws -> HTTPClient {
        // snippet: CombiningMiddleware/order
        var retries = RetryMiddleware.Policy()
        retries.limit = 3
        let tokens = TokenSource { _ in try await logIn() }
        let client = try HTTPClient(middleware: [
            RetryMiddleware(retries),
            try AuthenticationMiddleware(tokens, origins: ["https://api.example"]),
            HedgingMiddleware(),
            CircuitBreakerMiddleware(),
            try RateLimitMiddleware(requests: 500, per: .seconds(1), burst: 50),
            try ConcurrencyMiddleware(),
        ])
        // end
        return client
    }

    static func limits() async throws {
        // snippet: CombiningMiddleware/limits
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 64
        configuration.maximumConnectionsByOrigin["https://slow.example"] = 4
        let client = try HTTPClient(configuration: configuration)
        try await client.warmUp("https://api.example/health", count: 8)
        // end
    }

    // snippet: CombiningMiddleware/interceptor
    struct TokenInterceptor: RequestInterceptor {
        let tokens: TokenSource
        let host: String

        func adapt(
            _ request: URLRequest,
            for attempt: RequestAttempt
        ) async throws -> URLRequest {
            guard request.url?.host == host else { return request }
            let token = try await tokens.token()
            var request = request
            request.setValue("Bearer \(token.value)", forHTTPHeaderField: "Authorization")
            return request
        }

        func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
            let field = attempt.currentRequest?.value(forHTTPHeaderField: "Authorization")
            guard attempt.statusCode == 401, attempt.retryCount == 0,
                let field, field.hasPrefix("Bearer ")
            else { return .doNotRetry }
            tokens.refuse(AccessToken(String(field.dropFirst("Bearer ".count))))
            return .retry
        }
    }
    // end
}
