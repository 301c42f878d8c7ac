public import Configuration
public import CurlTransport

/// The settings of a client that swift-configuration can provide.
///
/// ```swift
/// let config = ConfigReader(provider: EnvironmentVariablesProvider())
/// let settings = try ClientSettings(reading: config.scoped(to: "http.client"))
/// let client = try HTTPClient(
///     configuration: settings.configuration,
///     options: settings.options
/// )
/// ```
///
/// All keys are optional; the page <doc:ReadingConfiguration> lists them. A value of the wrong kind is
/// a configuration error that names its key.
public struct ClientSettings: Sendable, Hashable {
    /// The event loops, limits and connections.
    public var configuration: TransportConfiguration

    /// The options of requests that have none of their own.
    public var options: TransferOptions

    /// Creates settings, by default those of a client without a configuration.
    public init(
        configuration: TransportConfiguration = TransportConfiguration(),
        options: TransferOptions = TransferOptions()
    ) {
        self.configuration = configuration
        self.options = options
    }

    /// Reads settings.
    ///
    /// - Parameters:
    ///   - reader: Where the keys are. `scoped(to:)` puts a prefix before them.
    ///   - defaults: The values of keys that aren't there.
    /// - Throws: `TransportError.Code.configuration` for a value of the wrong kind.
    public init(
        reading reader: ConfigReader,
        defaults: ClientSettings = ClientSettings()
    ) throws(TransportError) {
        try self.init(reading: reader.snapshot(), defaults: defaults)
    }

    /// Reads settings from a snapshot, whose values belong together.
    ///
    /// - Throws: `TransportError.Code.configuration` for a value of the wrong kind.
    public init(
        reading snapshot: ConfigSnapshotReader,
        defaults: ClientSettings = ClientSettings()
    ) throws(TransportError) {
        self = defaults
        let reader = SettingsReader(snapshot)
        try readTimeouts(reader)
        try readConnections(reader)
        try readTLS(reader)
        try readProxy(reader)
        if let agent = try reader.text("userAgent") { options.userAgent = agent }
        if let limit = try reader.integer("redirects.limit") {
            options.redirects = limit == 0 ? .refuse : .follow(limit: limit)
        }
    }

    private mutating func readTimeouts(_ reader: SettingsReader) throws(TransportError) {
        // Zero means none.
        func read(
            _ key: String,
            _ timeout: inout Duration?
        ) throws(TransportError) {
            guard let value = try reader.seconds(key) else { return }
            timeout = value == .zero ? nil : value
        }
        try read("timeouts.connect", &options.timeouts.connect)
        try read("timeouts.idle", &options.timeouts.idle)
        try read("timeouts.firstByte", &options.timeouts.firstByte)
        try read("timeouts.total", &options.timeouts.total)
        try read("timeouts.queue", &options.timeouts.queue)
    }

    private mutating func readConnections(_ reader: SettingsReader) throws(TransportError) {
        if let count = try reader.integer("loops", in: TransportConfiguration.eventLoopCounts) {
            configuration.eventLoopCount = count
        }
        if let limit = try reader.integer("connections.perHost") {
            configuration.maximumConnectionsPerHost = limit
        }
        if let limit = try reader.integer("connections.total") {
            configuration.maximumConnections = limit
        }
        if let limit = try reader.integer("connections.queued") {
            configuration.maximumQueued = limit
        }
        if let limit = try reader.integer("connections.idle") {
            configuration.maximumIdleConnections = limit
        }
        if let time = try reader.seconds("connections.idleLifetime") {
            configuration.idleConnectionLifetime = time
        }
        if let time = try reader.seconds("connections.lifetime") {
            configuration.connectionLifetime = time == .zero ? nil : time
        }
        if let limit = try reader.integer("dns.lookups") {
            configuration.maximumNameLookups = limit
        }
        if let time = try reader.seconds("dns.lifetime") { configuration.dnsCacheLifetime = time }
    }

    private mutating func readTLS(_ reader: SettingsReader) throws(TransportError) {
        if let path = try reader.text("tls.roots") {
            options.tls.trustRoots = path == "system" ? .system : .file(path)
        }
        let certificate = try reader.text("tls.certificate")
        let key = try reader.text("tls.key")
        let password = try reader.text("tls.password", isSecret: true)
        if let certificate, let key {
            options.tls.clientIdentity = .watching(
                certificate: certificate,
                key: key,
                password: password
            )
        } else if certificate != nil || key != nil || password != nil {
            let missing = certificate == nil ? "tls.certificate" : "tls.key"
            throw .configuration(
                "the configuration has no \(missing); name both files of the identity, or none"
            )
        }
        guard let version = try reader.version("tls.minimumVersion") else { return }
        switch version {
        case "1.0": options.tls.minimumVersion = .v1_0
        case "1.1": options.tls.minimumVersion = .v1_1
        case "1.2": options.tls.minimumVersion = .v1_2
        case "1.3": options.tls.minimumVersion = .v1_3
        default:
            throw .configuration("tls.minimumVersion isn't known; use 1.0, 1.1, 1.2 or 1.3")
        }
    }

    private mutating func readProxy(_ reader: SettingsReader) throws(TransportError) {
        // An empty variable has one empty element.
        let exceptions = try reader.list("proxy.exceptions")?.filter { !$0.isEmpty } ?? []
        // It may have a password.
        let address = try reader.text("proxy.url", isSecret: true)
        switch address {
        case "none":
            options.proxy = ProxyPolicy.none
        case let address? where address != "environment":
            let server = try ProxyServer(address: address, option: "proxy.url")
            options.proxy = .server(server, exceptions: exceptions)
        default:
            guard exceptions.isEmpty else {
                throw .configuration(
                    "proxy.exceptions needs the address of a proxy in proxy.url; for the proxies "
                        + "of the environment, set NO_PROXY"
                )
            }
            if address != nil { options.proxy = .environment }
        }
    }
}
