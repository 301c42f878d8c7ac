internal import Foundation
internal import Glibc

/// Unread bytes on this process's connections.
package enum Arrivals {
    /// Waits until each connection to a port is readable or ended.
    ///
    /// On a busy machine, bytes may arrive later than the peer has sent them.
    package static func wait(fromPort port: Int) async throws {
        try await Inspection.wait {
            descriptors.allSatisfy { peerPort(of: $0) != port || isReadable($0) }
        }
    }

    private static var descriptors: [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? []).compactMap { Int32($0) }
    }

    private static func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return getpeername(descriptor, address, &length)
        }
        guard result == 0, address.sin_family == AF_INET else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }
}
