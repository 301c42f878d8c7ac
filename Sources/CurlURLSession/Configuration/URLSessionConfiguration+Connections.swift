internal import CurlTransport
public import Foundation
internal import Synchronization

// Options of a session's connections that neither Apple's configurations nor FoundationNetworking's
// have.

extension URLSessionConfiguration {
    /// The maximum age of a connection that is reused, in seconds; 600 by default.
    ///
    /// A request that finds an older connection opens a new one, and looks up the host's name if
    /// ``dnsCacheLifetime`` has passed. So requests follow a name to its new addresses, even if
    /// the connection is never idle for long. A connection that carries other requests at the
    /// moment (HTTP/2) is reused at any age. Fractions are rounded up to seconds. `nil`, and a
    /// value that isn't a positive number, mean any age.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAXLIFETIME_CONN.html>.
    public var connectionLifetime: TimeInterval? {
        get { state.withLock { $0.connections.lifetime } }
        set { state.withLock { $0.connections.lifetime = newValue } }
    }

    /// How long an idle connection may be reused, in seconds; 60 by default.
    ///
    /// A session without requests for that long closes its connections. Set it below the limit of
    /// a load balancer that closes idle connections. A value that isn't a positive number makes
    /// every task fail.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_MAXAGE_CONN.html>.
    public var idleConnectionLifetime: TimeInterval {
        get { state.withLock { $0.connections.idleLifetime } }
        set { state.withLock { $0.connections.idleLifetime = newValue } }
    }

    /// The most idle connections of each event loop; 1,024 by default.
    ///
    /// Beyond that, a connection is closed after its response. A negative number makes every task
    /// fail.
    public var maximumIdleConnections: Int {
        get { state.withLock { $0.connections.maximumIdle } }
        set { state.withLock { $0.connections.maximumIdle = newValue } }
    }

    /// How long the addresses of a host name are kept, in seconds; 60 by default.
    ///
    /// If an event loop would keep those of more than some 4,000 names, it keeps them for a shorter
    /// time, at least 2 seconds. With 0, each connection needs a lookup of its own. A negative number
    /// makes every task fail.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_DNS_CACHE_TIMEOUT.html>.
    public var dnsCacheLifetime: TimeInterval {
        get { state.withLock { $0.connections.lookupLifetime } }
        set { state.withLock { $0.connections.lookupLifetime = newValue } }
    }

    /// The number of threads that send and receive; by default `nil`, one.
    ///
    /// Each runs an event loop. The requests to an origin use the same one, and further ones only
    /// while it is busy nearly all the time. One loop carries tens of thousands of requests a
    /// second. The session starts them with its first request over the network. A number less than
    /// 1 or greater than 1,024 makes every task fail.
    public var eventLoopCount: Int? {
        get { state.withLock { $0.connections.eventLoopCount } }
        set { state.withLock { $0.connections.eventLoopCount = newValue } }
    }
}

/// The event loops, connections and name lookups of a session. Times are in seconds.
struct SessionConnections: Sendable {
    /// 10 minutes. `nil` means any age.
    var lifetime: TimeInterval? = 600
    var idleLifetime: TimeInterval = 60
    var maximumIdle = 1024
    var lookupLifetime: TimeInterval = 60
    var eventLoopCount: Int?

    /// The longest lifetime, about 98 years. Longer ones, also infinite ones, are as long as this.
    private static let longest: TimeInterval = 3.1e9

    /// Sets the transport's options. It refuses those that are invalid.
    func apply(to configuration: inout TransportConfiguration) {
        configuration.connectionLifetime = lifetime.flatMap { Self.duration($0) }
        configuration.idleConnectionLifetime = Self.duration(idleLifetime) ?? .zero
        configuration.maximumIdleConnections = maximumIdle
        configuration.dnsCacheLifetime =
            lookupLifetime >= 0 ? Self.duration(lookupLifetime) ?? .zero : .seconds(-1)
        configuration.eventLoopCount = eventLoopCount
    }

    /// `nil` for a value that isn't a positive number.
    private static func duration(_ seconds: TimeInterval) -> Duration? {
        Duration(limit: min(seconds, longest))
    }
}
