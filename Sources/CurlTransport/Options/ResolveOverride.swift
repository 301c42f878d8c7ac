/// Addresses that a host's name stands for, so that the name isn't looked up.
///
/// The addresses enter the name cache of the event loop that runs the transfer. Other transfers of
/// that loop to the same host and port use them too, for as long as they stay there. Where one
/// request must go elsewhere and others must not, use a ``ConnectOverride``.
/// See <https://curl.se/libcurl/c/CURLOPT_RESOLVE.html>.
public struct ResolveOverride: Sendable, Hashable {
    /// The name in the URL, in ASCII.
    public var host: String

    /// The port in the URL or, where it has none, the scheme's; from 1 to 65535.
    public var port: Int

    /// IPv4 and IPv6 addresses (without brackets), tried in this order; at least one.
    public var addresses: [String]

    /// Whether the addresses stay for as long as the event loop runs. By default they leave its
    /// cache as those of a look-up do, which is what libcurl's `+` before an entry means.
    public var isPermanent: Bool

    /// Creates an override.
    public init(host: String, port: Int, addresses: [String], isPermanent: Bool = false) {
        self.host = host
        self.port = port
        self.addresses = addresses
        self.isPermanent = isPermanent
    }
}
