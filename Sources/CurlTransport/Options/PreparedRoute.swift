internal import Curl

/// What is set on a handle for one of the two schemes.
struct PreparedRoute: Sendable {
    let settings: [EasySetting]

    /// Lines of header fields for the proxy alone.
    let proxyHeaders: [String]

    /// Whether there is a proxy, be it with exceptions.
    let usesProxy: Bool

    /// Whether heads come from the proxy before the server's: those of its tunnels.
    let reportsTunnels: Bool
}
