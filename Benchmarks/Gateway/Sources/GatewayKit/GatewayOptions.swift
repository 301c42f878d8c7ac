package import ArgumentParser
package import Configuration
package import Logging

/// The arguments of a gateway. Those that are missing are read from the environment.
package struct GatewayOptions: ParsableArguments {
    @Option(help: "The address to listen on. (environment: GATEWAY_HOST, default: 127.0.0.1)")
    package var host: String?

    @Option(help: "The port; 0 for a free one. (environment: GATEWAY_PORT, default: 8080)")
    package var port: Int?

    @Option(help: "A Unix socket to listen on, instead of a port. (environment: GATEWAY_UNIX)")
    package var unix: String?

    @Option(
        help: ArgumentHelp(
            "A service behind the gateway, which gets the requests for /NAME/…; may be repeated. "
                + "(environment: GATEWAY_UPSTREAMS, separated by spaces)",
            valueName: "NAME=URL[,URL…]"
        )
    )
    package var upstream: [String] = []

    @Option(
        help:
            "Seconds until a request must have completed. (environment: GATEWAY_TIMEOUT, default: 30)"
    )
    package var timeout: Double?

    @Option(
        help:
            "Seconds for requests in flight after SIGTERM. (environment: GATEWAY_GRACE, default: 20)"
    )
    package var grace: Double?

    @Option(help: "A PEM file of roots for https upstreams. (environment: GATEWAY_CA)")
    package var ca: String?

    @Option(help: "The gateway's certificate for upstreams. (environment: GATEWAY_CERTIFICATE)")
    package var certificate: String?

    @Option(help: "The key of the certificate. (environment: GATEWAY_KEY)")
    package var key: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning or error. "
                + "(environment: GATEWAY_LOG, default: info)"
        )
    )
    package var log: String?

    package init() {}
}

/// What a gateway does, as its arguments and its environment say.
package struct GatewaySettings: Sendable {
    package enum Address: Sendable {
        case port(host: String, Int)
        case unix(path: String)
    }

    package let address: Address
    /// By their names.
    package let upstreams: [String: Upstream]
    package let timeout: Duration
    package let grace: Duration
    package let ca: String?
    package let certificate: String?
    package let key: String?
    package let logLevel: Logger.Level

    package init(_ options: GatewayOptions, _ environment: ConfigReader) throws(UsageError) {
        let reader = environment.scoped(to: "gateway")
        func text(_ argument: String?, _ key: ConfigKey) -> String? {
            (argument ?? reader.string(forKey: key)).flatMap { $0.isEmpty ? nil : $0 }
        }
        func number<Value: LosslessStringConvertible>(
            _ argument: Value?,
            _ key: ConfigKey,
            _ usual: Value
        ) throws(UsageError) -> Value {
            guard argument == nil, let string = text(nil, key) else { return argument ?? usual }
            guard let value = Value(string) else {
                throw UsageError("\(key) is \"\(string)\"; use a number")
            }
            return value
        }
        func seconds(
            _ argument: Double?,
            _ key: ConfigKey,
            _ usual: Double
        ) throws(UsageError) -> Duration {
            let value = try number(argument, key, usual)
            guard value > 0, value <= 86_400 else {
                throw UsageError("\(key) is \(value); use seconds from above 0 to 86400")
            }
            return .seconds(value)
        }
        if let path = text(options.unix, "unix") {
            address = .unix(path: path)
        } else {
            let port = try number(options.port, "port", 8080)
            guard (0...65_535).contains(port) else {
                throw UsageError("port is \(port); use a number from 0 to 65535")
            }
            address = .port(host: text(options.host, "host") ?? "127.0.0.1", port)
        }
        upstreams = try Self.upstreams(
            options.upstream.isEmpty
                ? (reader.string(forKey: "upstreams") ?? "").split(separator: " ").map(String.init)
                : options.upstream
        )
        timeout = try seconds(options.timeout, "timeout", 30)
        grace = try seconds(options.grace, "grace", 20)
        ca = text(options.ca, "ca")
        certificate = text(options.certificate, "certificate")
        key = text(options.key, "key")
        guard (certificate == nil) == (key == nil) else {
            throw UsageError("name both files of the identity, certificate and key, or none")
        }
        let level = text(options.log, "log") ?? "info"
        guard let level = Logger.Level(rawValue: level) else {
            throw UsageError("log is \(level); use trace, debug, info, notice, warning or error")
        }
        logLevel = level
    }

    private static func upstreams(_ texts: [String]) throws(UsageError) -> [String: Upstream] {
        var upstreams: [String: Upstream] = [:]
        for text in texts {
            let upstream = try Upstream(text)
            guard upstreams.updateValue(upstream, forKey: upstream.name) == nil else {
                throw UsageError("upstream \(upstream.name) is named twice")
            }
        }
        guard !upstreams.isEmpty else {
            throw UsageError("there is no upstream; use --upstream NAME=URL or GATEWAY_UPSTREAMS")
        }
        return upstreams
    }
}
