/// Another place to connect to; the URL, the `Host` field and the TLS name stay as they are.
///
/// Concerns this request alone. See <https://curl.se/libcurl/c/CURLOPT_CONNECT_TO.html>.
public struct ConnectOverride: Sendable, Hashable {
    /// The URL's host that this is for (an IPv6 address without brackets); nil for all.
    public var host: String?

    /// The URL's port that this is for, or where it has none, the scheme's; nil for all.
    public var port: Int?

    /// The host to connect to, a name or an address; nil for the URL's.
    public var toHost: String?

    /// The port to connect to; nil for the URL's.
    public var toPort: Int?

    /// Creates an override. One that changes nothing is a configuration error.
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
