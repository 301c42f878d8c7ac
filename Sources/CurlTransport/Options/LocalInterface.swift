/// Where connections start from on this machine.
///
/// See <https://curl.se/libcurl/c/CURLOPT_INTERFACE.html>.
public enum LocalInterface: Sendable, Hashable {
    /// A network interface, by its name, such as `eth0`: at most 15 bytes.
    case name(String)

    /// One of this machine's IPv4 or IPv6 addresses. A host's name is a configuration error: it
    /// would be looked up while the event loop waits.
    case address(String)
}
