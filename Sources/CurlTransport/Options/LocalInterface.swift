/// The local end of connections.
///
/// See <https://curl.se/libcurl/c/CURLOPT_INTERFACE.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LocalInterface: Sendable, Hashable {
    /// A network interface, by its name, such as `eth0`: at most 15 bytes.
    case name(String)

    /// An IPv4 or IPv6 address of this machine.
    ///
    /// A host name is a configuration error: its lookup would block the event loop.
    case address(String)
}

/// The IP versions to which a name is resolved.
///
/// See <https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html>.
public enum AddressFamily: Sendable, Hashable {
    /// IPv6 and IPv4; the first that connects is used.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
}

/// A unix domain socket to connect to instead of the URL's host.
///
/// The URL's host is still used in the `Host` field and in TLS. Proxies are not used.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UnixSocket: Sendable, Hashable {
    /// A socket in the file system, by its path: at most 107 bytes.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_UNIX_SOCKET_PATH.html>.
    case path(String)

    /// A socket in Linux' abstract namespace: its name without the leading NUL, at most 107 bytes.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_ABSTRACT_UNIX_SOCKET.html>.
    case abstract(String)
}

/// TCP keep-alive probes of an idle connection.
///
/// They prevent intermediaries from dropping it. They are configured when a connection is
/// established; later requests on it don't change them. See
/// <https://curl.se/libcurl/c/CURLOPT_TCP_KEEPALIVE.html>.
public struct TCPKeepAlive: Sendable, Hashable {
    /// The idle time before the first probe, in whole seconds (rounded up). Default: 60 seconds.
    public var idle: Duration

    /// The interval between probes, in whole seconds (rounded up). Default: 60 seconds.
    public var interval: Duration

    /// Creates settings. A duration below one second is a configuration error.
    public init(idle: Duration = .seconds(60), interval: Duration = .seconds(60)) {
        self.idle = idle
        self.interval = interval
    }
}
