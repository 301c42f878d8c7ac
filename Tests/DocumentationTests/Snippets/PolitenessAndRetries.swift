internal import BatchFetch

/// What the page "Politeness and retries" shows.
struct PolitenessAndRetries: Sendable {
    static func configuration() throws -> BatchConfiguration {
        // snippet: PolitenessAndRetries/configuration
        var configuration = BatchConfiguration(concurrency: 500, concurrencyPerHost: 2)
        configuration.politeness.rate = RequestRate("2/s")
        configuration.politeness.rules = [
            try HostRule(parsing: "api.example.org: rate=20/s, concurrency=8")
        ]
        configuration.politeness.obeysRobots = true
        configuration.politeness.userAgent = "example/1.0 (+https://example.org/bot)"
        configuration.retry.limit = 5
        // end
        return configuration
    }
}
