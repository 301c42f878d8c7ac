internal import ArgumentParser
internal import Configuration
internal import CurlServices
internal import CurlTransport
internal import GatewayKit
internal import ServiceLifecycle
internal import UnixSignals

/// Forwards requests to services, with the client of this library.
///
///     gateway --port 8080 --upstream users=http://10.0.0.1:8080,http://10.0.0.2:8080 --ca roots.pem
///
/// The client has further settings in the environment, such as `HTTP_CLIENT_TIMEOUTS_CONNECT`.
@main
struct Gateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "gateway")

    @OptionGroup var options: GatewayOptions

    func run() async throws {
        let environment = ConfigReader(provider: EnvironmentVariablesProvider())
        let settings = try GatewaySettings(options, environment)
        let logger = FrontServer.bootstrap(settings)
        let count = RequestCount()
        let upstreams = try UpstreamClient(settings, environment.scoped(to: "http.client"), logger)
        let server = FrontServer.make(settings, client: upstreams, count: count, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [upstreams.client, upstreams.reporter, server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // The server completes its requests first, then the client has nothing left to do.
        configuration.maximumGracefulShutdownDuration = settings.grace + .seconds(2)
        try await ServiceGroup(configuration: configuration).run()
        FrontServer.printLine("ended: \(count.line)")
    }
}
