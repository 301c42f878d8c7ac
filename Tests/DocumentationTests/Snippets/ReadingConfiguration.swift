internal import Configuration
internal import CurlServices
internal import CurlTransport
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// What the page "Read the configuration" shows.
enum ReadingConfiguration {
    static func environment() throws -> ReloadingClient {
        // snippet: ReadingConfiguration/environment
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let client = try ReloadingClient(reading: config.scoped(to: "http.client"))
        // end
        return client
    }

    static func changes(
        _ config: ConfigReader,
        _ server: any Service,
        _ logger: Logger
    ) throws -> ServiceGroup {
        // snippet: ReadingConfiguration/changes
        let client = try ReloadingClient(reading: config) { result in
            switch result {
            case .success: logger.notice("client reconfigured")
            case .failure(let error): logger.error("client not reconfigured: \(error)")
            }
        }
        let group = ServiceGroup(
            services: [client, server],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        // end
        return group
    }
}
