internal import CCurl
internal import Glibc

/// A netlink socket (rtnetlink(7)) that gets readable when an interface, an address or a route comes
/// or goes.
package struct RouteSocket: ~Copyable, Sendable {
    package let descriptor: Int32

    /// - Throws: What the kernel refuses it for, as some sandboxes do. No privilege is needed.
    package init() throws(SystemFailure) {
        let kind =
            Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, kind, NETLINK_ROUTE)
        guard descriptor >= 0 else { throw SystemFailure("socket", errno: errno) }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(
            RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR
                | RTMGRP_IPV6_ROUTE
        )
        let length = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length)
            }
        }
        guard result == 0 else {
            let failure = SystemFailure("bind", errno: errno)
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads what the kernel told and forgets it: whoever wants to know looks at the routes
    /// themselves, for messages are lost where there are too many.
    package borrowing func drain() {
        var buffer: [UInt8] = Array(repeating: 0, count: 8192)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
            }
            // Those that were lost are told of once, by ENOBUFS.
            guard count > 0 || (count < 0 && [EINTR, ENOBUFS].contains(errno)) else { return }
        }
    }
}
