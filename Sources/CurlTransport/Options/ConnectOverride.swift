/// A different host or port to connect to.
///
/// The URL, the `Host` field and the TLS name stay unchanged. It applies only to this request. See
/// <https://curl.se/libcurl/c/CURLOPT_CONNECT_TO.html>.
public struct ConnectOverride: Sendable, Hashable {
    /// The URL's host that this applies to (an IPv6 address without brackets); nil for any host.
    public var host: String?

    /// The URL's port, or the scheme's default, that this applies to; nil for any port.
    public var port: Int?

    /// The host to connect to, a name or an address; nil for the URL's host.
    public var toHost: String?

    /// The port to connect to; nil for the URL's port.
    public var toPort: Int?

    /// Creates an override. It must change something, otherwise it is a configuration error.
    public init(
        host: String? = nil,
        port: Int? = nil,
        toHost: String? = nil,
        toPort: Int? = nil
    ) {
        self.host = host
        self.port = port
        self.toHost = toHost
        self.toPort = toPort
    }
}

/// Addresses for a host name, which replace its lookup.
///
/// The addresses are added to a cache of the event loop that runs the transfer. While they are
/// cached, other transfers of that loop that have a ``TransferOptions/resolve`` use them, too. To
/// redirect a single request, use a ``ConnectOverride``. See
/// <https://curl.se/libcurl/c/CURLOPT_RESOLVE.html>.
public struct ResolveOverride: Sendable, Hashable {
    /// The name in the URL, in ASCII.
    public var host: String

    /// The port in the URL, or the scheme's default; from 1 to 65535.
    public var port: Int

    /// IPv4 and IPv6 addresses without brackets, tried in this order; at least one.
    public var addresses: [String]

    /// Whether the addresses stay cached as long as the event loop runs. Default: false.
    ///
    /// By default they expire like those of a lookup (libcurl's `+` before an entry).
    public var isPermanent: Bool

    /// Creates an override.
    public init(host: String, port: Int, addresses: [String], isPermanent: Bool = false) {
        self.host = host
        self.port = port
        self.addresses = addresses
        self.isPermanent = isPermanent
    }
}
