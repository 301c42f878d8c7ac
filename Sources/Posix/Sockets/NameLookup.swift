internal import CPosix
internal import Glibc

/// Looks up the addresses of host names.
package enum NameLookup {
    /// The IP addresses of a host in text form, in the system's order; empty if it has none.
    ///
    /// Blocks during the lookup, for some seconds if the name server doesn't respond. The
    /// corresponding C functions are `getaddrinfo` and `getnameinfo`.
    ///
    /// - Parameter host: A name, or an IP address without brackets.
    package static func addresses(of host: String) -> [String] {
        guard !host.isEmpty, !host.utf8.contains(0) else { return [] }
        var hints = unsafe addrinfo()
        // One entry for each address instead of one for each kind of socket.
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next = unsafe first
        while let current = unsafe next {
            if let text = unsafe text(of: current.pointee), !addresses.contains(text) {
                addresses.append(text)
            }
            unsafe next = current.pointee.ai_next
        }
        return addresses
    }

    private static func text(of address: addrinfo) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let code = unsafe getnameinfo(
                address.ai_addr,
                address.ai_addrlen,
                buffer.baseAddress,
                socklen_t(buffer.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            guard code == 0, let start = buffer.baseAddress else { return nil }
            return unsafe String(cString: start)
        }
    }
}
