internal import CPosix
internal import Glibc

/// Determines whether the kernel has a route to an address.
///
/// It connects a datagram socket. For that, the kernel looks up the route as for a packet, with all
/// tables and rules, but sends nothing.
package enum RouteQuery {
    /// Whether there is a route to one of the addresses of a host.
    ///
    /// Blocks during a name lookup. The corresponding C functions are `getaddrinfo` and `connect`.
    ///
    /// - Parameters:
    ///   - host: A name, or an IP address without brackets.
    ///   - isAddress: Whether to perform no lookup: anything but an IP address then has no route.
    package static func reaches(_ host: String, isAddress: Bool) -> Bool {
        guard !host.isEmpty, !host.utf8.contains(0) else { return false }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV | (isAddress ? AI_NUMERICHOST : 0)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "443", &hints, &first) == 0 else { return false }
        defer { unsafe freeaddrinfo(first) }
        var next = unsafe first
        while let current = unsafe next {
            if unsafe connects(to: current.pointee) { return true }
            unsafe next = current.pointee.ai_next
        }
        return false
    }

    private static func connects(to address: addrinfo) -> Bool {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0
    }
}
