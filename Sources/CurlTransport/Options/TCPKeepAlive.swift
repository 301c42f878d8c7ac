/// How a quiet connection is kept known to the machines on its way.
///
/// It is set when a connection is made; requests that use it later don't change it.
/// See <https://curl.se/libcurl/c/CURLOPT_TCP_KEEPALIVE.html>.
public struct TCPKeepAlive: Sendable, Hashable {
    /// How long a connection is quiet before the first probe, in whole seconds (rounded up); 60 by
    /// default.
    public var idle: Duration

    /// How long after a probe the next one follows, in whole seconds (rounded up); 60 by default.
    public var interval: Duration

    /// Creates settings. Durations under one second are configuration errors.
    public init(idle: Duration = .seconds(60), interval: Duration = .seconds(60)) {
        self.idle = idle
        self.interval = interval
    }
}
