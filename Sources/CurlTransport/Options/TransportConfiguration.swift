internal import HTTPTypes

/// The event loops, limits and connections of a transport.
public struct TransportConfiguration: Sendable, Hashable {
    /// The number of event-loop threads; nil means one.
    ///
    /// One loop carries tens of thousands of requests a second. More loops help where TLS, many
    /// transfers or large bodies make one thread the bottleneck.
    ///
    /// The transfers of an origin run on one loop, so that they share its connections. If a loop is
    /// busy nearly all the time, its origins with many transfers use a further loop that isn't, and
    /// another one if that isn't enough. After about a second of low load, new transfers use one
    /// loop again. An origin that speaks HTTP/2 uses a further loop only if it has more transfers
    /// than streams on a connection: the number that its server announces, at most 100. An `https`
    /// origin counts as such until it is known to speak HTTP/1.1. With
    /// ``maximumConnectionsPerHost``, an origin uses several loops only over HTTP/1.1 without a
    /// proxy, and only as many as get 16 connections each. A ``ByteConnection`` uses the first loop
    /// of its origin.
    ///
    /// From 1 to 1,024. More loops than processors don't help.
    public var eventLoopCount: Int?

    /// The numbers of event loops that a transport may have.
    package static let eventLoopCounts = 1...1024

    /// The maximum number of connections to one origin; nil means no limit.
    ///
    /// Further transfers wait in the transport in first-in, first-out order and use no handle. If
    /// the origin uses several loops, each has a part of the limit and a queue of its own.
    ///
    /// For an origin that speaks HTTP/2, a connection counts for a hundred streams: with a limit of
    /// 2, up to 200 transfers run at once, mostly on one connection. If a server allows fewer
    /// streams on a connection, fewer transfers run: with libcurl 8.3 or later as many as it allows
    /// on one, with earlier versions as many as find a stream on this many connections.
    public var maximumConnectionsPerHost: Int?

    /// The maxima of single origins, which replace ``maximumConnectionsPerHost`` for them.
    ///
    /// The keys are origins, such as `https://api.example` or `http://10.0.0.1:8080`. A key that
    /// isn't one, a second key for the same origin, and a limit of less than 1 are configuration
    /// errors. Default: none.
    public var maximumConnectionsByOrigin: [String: Int] = [:]

    /// The maximum number of concurrent transfers to all origins together; nil means no limit.
    public var maximumConnections: Int?

    /// The maximum number of queued transfers.
    ///
    /// They wait for a connection or a name lookup. The default, nil, means no limit. A transfer
    /// beyond the limit fails at once with ``TransportError/Code/queueFull``. With 0, a transfer
    /// that can't start at once fails. A transfer that has started is never rejected, but it counts
    /// while it waits to send the request of a redirect. The limit applies to all loops together.
    /// Each loop knows the other loops' numbers as of their last turns, so a burst on several loops
    /// may exceed the limit for a moment. ``Timeouts/queue`` limits how long transfers may wait.
    public var maximumQueued: Int?

    /// The maximum number of idle connections of a loop. Default: 1,024.
    ///
    /// Beyond it, a connection is closed after its response. A few more may be idle for a moment.
    public var maximumIdleConnections = 1024

    /// How long an idle connection may be reused. Default: 60 seconds.
    ///
    /// A loop that is idle for this long closes all its connections.
    public var idleConnectionLifetime = Duration.seconds(60)

    /// The maximum age of a connection that is reused; nil means any age.
    public var connectionLifetime: Duration?

    /// The maximum number of concurrent name lookups of all loops. Default: 64.
    ///
    /// libcurl starts a thread for each lookup, from version 8.20 on two: for IPv4 and for IPv6.
    public var maximumNameLookups = 64

    /// How long a DNS result is cached. Default: 60 seconds.
    ///
    /// If a loop looks up so many names that it would cache more than some 4,000, it caches them for
    /// a shorter time, at least 2 seconds.
    ///
    /// With zero, each connection needs a lookup of its own, and an origin's transfers start one by
    /// one.
    public var dnsCacheLifetime = Duration.seconds(60)

    /// The maximum memory for windows of decoders in bytes, over all loops; nil means no limit.
    ///
    /// A body in Brotli or Zstandard may need up to 19 MiB or 9 MiB to be decoded, however few
    /// bytes it has. With a limit, a body for whose decoder there is no room waits until others
    /// have ended, in first-in, first-out order. Up to 768 KiB of each decoder aren't counted, so
    /// that bodies of ordinary size don't wait. One decoder may always run, even beyond the limit.
    ///
    /// Set it only if no body's consumer waits for another body: a body that isn't read keeps its
    /// memory, and those that wait for it can't continue. ``Timeouts/total`` limits the wait.
    public var maximumDecoderMemory: Int?

    /// Creates the default configuration.
    public init() {}

    func validate() throws(TransportError) {
        try Self.checkLoops(eventLoopCount)
        try Self.check(maximumConnectionsPerHost, "maximumConnectionsPerHost")
        var origins: Set<String> = []
        for (origin, limit) in maximumConnectionsByOrigin {
            let name = "maximumConnectionsByOrigin[\"\(Redaction.text(origin))\"]"
            guard let identity = Self.identity(of: origin) else {
                throw .configuration(
                    "\(name) isn't for an origin; use a key such as https://example.org"
                )
            }
            guard origins.insert(identity).inserted else {
                throw .configuration("\(name) isn't the only key for its origin; use one of them")
            }
            guard limit >= 1 else {
                throw .configuration("\(name) is \(limit); use 1 or more")
            }
        }
        try Self.check(maximumConnections, "maximumConnections")
        try Self.check(maximumNameLookups, "maximumNameLookups")
        try Self.check(maximumDecoderMemory, "maximumDecoderMemory")
        if let maximumQueued, maximumQueued < 0 {
            throw .configuration(
                "maximumQueued is \(maximumQueued); use 0 or more, or nil for no limit"
            )
        }
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

    /// ``maximumConnectionsByOrigin`` by ``Endpoint/identity``.
    var maximumConnectionsByIdentity: [String: Int] {
        var limits: [String: Int] = [:]
        for (origin, limit) in maximumConnectionsByOrigin {
            guard let identity = Self.identity(of: origin) else { continue }
            limits[identity] = limit
        }
        return limits
    }

    /// The ``Endpoint/identity`` of an origin; nil if the text isn't one, or has more than one has.
    private static func identity(of origin: String) -> String? {
        guard let request = try? HTTPRequest(url: origin), request.path == "/",
            request.headerFields.isEmpty
        else { return nil }
        return try? Endpoint(of: request).identity
    }

    private static func checkLoops(_ count: Int?) throws(TransportError) {
        guard let count, !eventLoopCounts.contains(count) else { return }
        throw .configuration(
            "eventLoopCount is \(count); use \(eventLoopCounts.lowerBound) to "
                + "\(eventLoopCounts.upperBound), or nil for the default"
        )
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
