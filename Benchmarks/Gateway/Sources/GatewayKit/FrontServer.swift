internal import CoreMetrics
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
package import Logging
internal import NIOCore
package import ServiceLifecycle

/// The server of a gateway: its routes, and the requests that it forwards.
package enum FrontServer {
    /// Sets up logs on standard error, and metrics for `GET /metrics`.
    ///
    /// Call it once, before the first request.
    package static func bootstrap(_ settings: GatewaySettings) -> Logger {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = settings.logLevel
            return handler
        }
        MetricsSystem.bootstrap(metrics)
        return Logger(label: "gateway")
    }

    private static let metrics = PrometheusMetrics()

    /// Makes the server. Its first line on standard output names its address.
    package static func make(
        _ settings: GatewaySettings,
        client: any Forwarding,
        count: RequestCount,
        logger: Logger
    ) -> any Service {
        let router = Router(context: GatewayContext.self)
        router.add(middleware: CountingMiddleware(count: count))
        router.add(middleware: LogRequestsMiddleware(.debug))
        router.add(middleware: TracingMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.add(
            middleware: ForwardingMiddleware(
                upstreams: settings.upstreams,
                timeout: settings.timeout,
                client: client
            )
        )
        router.get("health") { _, _ in "ok\n" }
        router.get("ready") { _, _ in ready(settings.upstreams, client) }
        router.get("metrics") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text()))
            )
        }
        let address: BindAddress =
            switch settings.address {
            case .port(let host, let port): .hostname(host, port: port)
            case .unix(let path): .unixDomainSocket(path: path)
            }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: address, backlog: 1024),
            onServerRunning: { printLine("listening on \(name(of: $0, settings.address))") },
            logger: logger
        )
    }

    /// Writes a line to standard output at once.
    package static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Ready means that each upstream has a server that gets requests, and that the gateway runs on.
    private static func ready(_ upstreams: [String: Upstream], _ client: any Forwarding) -> Response
    {
        guard !Task.isShuttingDownGracefully else {
            return GatewayFailure(503, "shutdown", message: "the gateway ends").response
        }
        let unavailable = client.unavailable
        for upstream in upstreams.values.sorted(by: { $0.name < $1.name })
        where upstream.servers.allSatisfy({ unavailable.contains($0.origin) }) {
            return GatewayFailure(
                503,
                "circuitOpen",
                upstream: upstream.name,
                message: "no server of \(upstream.name) gets requests at the moment"
            ).response
        }
        return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ready\n")))
    }

    private static func name(of channel: any Channel, _ address: GatewaySettings.Address) -> String
    {
        switch address {
        case .unix(let path): "unix:\(path)"
        case .port(let host, let port):
            "\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? port)"
        }
    }
}
