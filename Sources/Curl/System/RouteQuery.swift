internal import CCurl
internal import Glibc

/// Asks the kernel whether it has a route to an address.
///
/// A datagram socket is connected, for which the kernel looks the route up as for a packet, with all of
/// its tables and rules; nothing is sent.
package enum RouteQuery {
    /// Whether there is a route to one of the addresses of a host.
    ///
    /// Blocks while a name is looked up. The corresponding C functions are `getaddrinfo` and `connect`.
    ///
    /// - Parameters:
    ///   - host: A name, or an IP address without brackets.
    ///   - isAddress: Whether nobody is to be asked: what is no IP address has no route.
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
