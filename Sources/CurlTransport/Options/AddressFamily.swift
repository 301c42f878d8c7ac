/// The kind of addresses that a name is resolved to.
///
/// See <https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html>.
public enum AddressFamily: Sendable, Hashable {
    /// IPv6 and IPv4, whichever connects first.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
}
