internal import Configuration
internal import CurlServices
internal import CurlTransport
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// What the documentation comments of `CurlServices` show.
///
/// Compiled only: they name servers that don't exist.
enum ServiceComments {
    static func logging() throws {
        // snippet: LoggingMiddleware.swift/client
        let client = try HTTPClient(middleware: [LoggingMiddleware()])
        // end
        _ = client
    }

    static func metrics() throws {
        // snippet: MetricsMiddleware.swift/client
        let client = try HTTPClient(middleware: [MetricsMiddleware()])
        // end
        _ = client
    }

    static func tracing() throws {
        // snippet: TracingMiddleware.swift/client
        let client = try HTTPClient(middleware: [TracingMiddleware()])
        // end
        _ = client
    }

    static func run(_ server: any Service, _ logger: Logger) async throws {
        // snippet: HTTPClientService.swift/group
        let client = try HTTPClient()
        let group = ServiceGroup(
            services: [HTTPClientService(client, grace: .seconds(20)), server],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        try await group.run()
        // end
    }

    static func report(_ client: HTTPClient) {
        // snippet: StatisticsReporter.swift/reporter
        let reporter = StatisticsReporter(client)
        // end
        _ = reporter
    }

    static func settings() throws {
        // snippet: ClientSettings.swift/read
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let settings = try ClientSettings(reading: config.scoped(to: "http.client"))
        let client = try HTTPClient(
            configuration: settings.configuration,
            options: settings.options
        )
        // end
        _ = client
    }

    static func reloading(
        _ config: ConfigReader,
        _ provider: any Service,
        _ server: any Service,
        _ logger: Logger
    ) throws {
        // snippet: ReloadingClient.swift/group
        let client = try ReloadingClient(reading: config.scoped(to: "http.client"))
        let group = ServiceGroup(
            services: [provider, client, server],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        // end
        _ = group
    }
}
