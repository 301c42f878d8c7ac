/// The limits and subprotocols of a client's WebSocket.
public struct WebSocketConfiguration: Sendable, Hashable {
    /// The offered subprotocols, the preferred one first. Default: none.
    ///
    /// A `Sec-WebSocket-Protocol` field of the request adds to them.
    public var subprotocols: [String] = []

    /// The maximum size of a message from the server, in bytes. Default: 1 MiB.
    ///
    /// A larger message ends the WebSocket with ``WebSocketError/violation(_:)``. Less than 0 counts
    /// as 0.
    public var maximumMessageSize = 1 << 20

    /// How often to send a ping; nil, the default, for no pings.
    ///
    /// If a ping isn't answered until the next one is due, the WebSocket ends with a
    /// ``TransportError/Code/idleTimeout``. Pings keep proxies from ending a connection that they
    /// take for unused. A server isn't held responsible for pongs while the program leaves messages
    /// unread. Intervals below 10 ms count as 10 ms.
    public var pingInterval: Duration?

    /// How long the open WebSocket may be idle in both directions; nil, the default, for no limit.
    ///
    /// Pings count as activity. Beyond the limit the WebSocket ends with a
    /// ``TransportError/Code/idleTimeout``.
    public var idleLimit: Duration?

    /// How long to wait for the server's answer when this side closes. Default: 10 seconds.
    public var closeTimeout = Duration.seconds(10)

    /// Creates a configuration with the defaults.
    public init() {}
}
