internal import CurlResilience
internal import CurlTransport

/// What the documentation comments of `CurlResilience` show.
///
/// Compiled only: they name servers that don't exist.
enum ResilienceComments {
    static func retries() throws {
        // snippet: RetryMiddleware.swift/client
        let client = try HTTPClient(middleware: [RetryMiddleware()])
        // end
        _ = client
    }

    static func breaker() throws {
        // snippet: CircuitBreakerMiddleware.swift/client
        let client = try HTTPClient(middleware: [CircuitBreakerMiddleware()])
        // end
        _ = client
    }

    static func hedging() throws {
        // snippet: HedgingMiddleware.swift/client
        let client = try HTTPClient(middleware: [HedgingMiddleware()])
        // end
        _ = client
    }

    static func concurrency() throws {
        // snippet: ConcurrencyMiddleware.swift/client
        var policy = ConcurrencyMiddleware.Policy()
        policy.maximum = 100
        policy.origins["https://slow.example"] = 4
        let client = try HTTPClient(middleware: [ConcurrencyMiddleware(policy)])
        // end
        _ = client
    }

    static func rate() throws {
        // snippet: RateLimitMiddleware.swift/client
        // 100 requests a minute to each origin, and up to 10 of them at once.
        let limit = try RateLimitMiddleware(requests: 100, per: .seconds(60), burst: 10)
        let client = try HTTPClient(middleware: [limit])
        // end
        _ = client
    }

    static func source(_ logIn: @escaping @Sendable () async throws -> String) {
        // snippet: TokenSource.swift/source
        let tokens = TokenSource { expired in
            AccessToken(try await logIn())
        }
        // end
        _ = tokens
    }

    static func authentication(
        _ logIn: @escaping @Sendable () async throws -> String
    ) throws {
        // snippet: AuthenticationMiddleware.swift/client
        let tokens = TokenSource { expired in
            AccessToken(try await logIn())
        }
        let authentication = try AuthenticationMiddleware(
            tokens,
            origins: ["https://api.example"]
        )
        let client = try HTTPClient(middleware: [authentication])
        // end
        _ = client
    }
}
