/// How a transport's loops, limits and connections are set up.
public struct TransportConfiguration: Sendable, Hashable {
    /// How many loop threads there are; nil: one.
    ///
    /// An origin's transfers all run on one loop, so that they share its connections. One loop
    /// carries tens of thousands of requests a second; more help where many origins are in use and
    /// TLS or some thousands of connections make one thread the bottleneck.
    public var eventLoopCount: Int?

    /// Connections to one origin at most; nil: no limit.
    ///
    /// More transfers wait in the transport, in their order, without using a handle.
    ///
    /// Where an origin speaks HTTP/2, a connection counts for a hundred streams: with a limit of 2,
    /// up to 200 transfers run at once, mostly on one connection. A server that allows fewer streams
    /// may be connected to more often.
    public var maximumConnectionsPerHost: Int?

    /// Transfers that run at once, to all origins together; nil: no limit.
    public var maximumConnections: Int?

    /// Connections that a loop keeps open without a transfer, at most. Default: 1,024.
    public var maximumIdleConnections = 1024

    /// How long a connection without a transfer is used again. Default: 60 seconds.
    ///
    /// A loop that has nothing to do for so long closes all its connections.
    public var idleConnectionLifetime = Duration.seconds(60)

    /// How old a connection may be that is used for a new transfer; nil: any age.
    public var connectionLifetime: Duration?

    /// Name look-ups under way at once, in all loops together. Default: 64.
    ///
    /// libcurl starts a thread for each look-up.
    public var maximumNameLookups = 64

    /// How long an answer of the name service is used. Default: 60 seconds.
    ///
    /// With zero it is asked anew for each connection, and an origin's transfers start one by one.
    public var dnsCacheLifetime = Duration.seconds(60)

    /// Creates the default configuration.
    public init() {}

    func validate() throws(TransportError) {
        try Self.check(eventLoopCount, "eventLoopCount")
        try Self.check(maximumConnectionsPerHost, "maximumConnectionsPerHost")
        try Self.check(maximumConnections, "maximumConnections")
        try Self.check(maximumNameLookups, "maximumNameLookups")
        guard maximumIdleConnections >= 0 else {
            throw .configuration(
                "maximumIdleConnections is \(maximumIdleConnections); use 0 or more"
            )
        }
        try Self.check(idleConnectionLifetime, "idleConnectionLifetime")
        try Self.check(connectionLifetime, "connectionLifetime")
        guard dnsCacheLifetime >= .zero else {
            throw .configuration("dnsCacheLifetime is \(dnsCacheLifetime); use zero or more")
        }
    }

    private static func check(_ value: Int?, _ name: String) throws(TransportError) {
        guard let value, value < 1 else { return }
        throw .configuration("\(name) is \(value); use 1 or more, or nil for the default")
    }

    private static func check(_ value: Duration?, _ name: String) throws(TransportError) {
        guard let value, value <= .zero else { return }
        throw .configuration("\(name) is \(value); use more than zero")
    }
}
