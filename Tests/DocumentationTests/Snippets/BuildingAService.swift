internal import Configuration
internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import HTTPTypes
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// What the page "Build a service" shows.
enum BuildingAService {
    static func run(
        _ logger: Logger,
        _ makeServer: (any HTTPExchanging) -> any Service
    ) async throws {
        // snippet: BuildingAService/run
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        var defaults = ClientSettings()
        defaults.options.timeouts.total = .seconds(30)
        defaults.configuration.maximumQueued = 10_000
        let client = try ReloadingClient(
            reading: config.scoped(to: "http.client"),
            defaults: defaults,
            middleware: [
                TracingMiddleware(),
                LoggingMiddleware(),
                RetryMiddleware(),
                CircuitBreakerMiddleware(),
                MetricsMiddleware(),
            ],
            grace: .seconds(20)
        )
        let group = ServiceGroup(
            services: [client, makeServer(client)],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        try await group.run()
        // end
    }

    // snippet: BuildingAService/prices
    struct Prices: Sendable {
        let client: any HTTPExchanging

        func price(of id: Int, until deadline: ContinuousClock.Instant) async throws -> String {
            let request = try HTTPRequest(url: "https://prices.example/items/\(id)")
            let context = RequestContext(deadline: deadline, name: "GET /items/{id}")
            let response = try await client.send(request, body: .none, context: context)
            return String(decoding: try await response.body.collect(upTo: 1024), as: UTF8.self)
        }
    }
    // end
}
