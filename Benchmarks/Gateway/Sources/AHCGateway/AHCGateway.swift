internal import ArgumentParser
internal import Configuration
internal import GatewayKit
internal import ServiceLifecycle
internal import UnixSignals

/// The same gateway over async-http-client, to compare them.
///
/// It has no retries, no circuit breaker, no metrics of its client, no settings of its client in the
/// environment, and reads certificates at its start only.
@main
struct AHCGateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ahcgateway")

    @OptionGroup var options: GatewayOptions

    func run() async throws {
        let environment = ConfigReader(provider: EnvironmentVariablesProvider())
        let settings = try GatewaySettings(options, environment)
        let logger = FrontServer.bootstrap(settings)
        let count = RequestCount()
        let client = try AHCUpstreamClient(settings)
        let server = FrontServer.make(settings, client: client, count: count, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [client, server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = settings.grace + .seconds(2)
        try await ServiceGroup(configuration: configuration).run()
        FrontServer.printLine("ended: \(count.line)")
    }
}
