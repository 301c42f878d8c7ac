internal import CPosix
internal import Glibc

/// A netlink socket (rtnetlink(7)) that becomes readable when the network changes.
///
/// Changes are those of interfaces, addresses and routes.
package struct RouteSocket: ~Copyable, Sendable {
    package let descriptor: Int32

    /// Opens the socket. It needs no privilege.
    ///
    /// - Throws: The kernel's error, for example in some sandboxes.
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

    /// Reads and discards the kernel's messages.
    ///
    /// Callers must query the routes themselves, because the kernel drops messages if there are too
    /// many.
    package borrowing func drain() {
        var buffer: [UInt8] = Array(repeating: 0, count: 8192)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
            }
            // The kernel reports dropped messages once, by ENOBUFS.
            guard count > 0 || (count < 0 && [EINTR, ENOBUFS].contains(errno)) else { return }
        }
    }
}
