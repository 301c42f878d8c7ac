internal import CPosix
internal import Glibc

/// Server sockets on the loopback interface, as descriptors that a ``Reactor`` watches and closes.
///
/// None of the calls blocks.
package enum LoopbackSocket {
    /// The result of a call on a connection.
    package enum Outcome: Sendable, Hashable {
        /// The number of transferred bytes.
        case moved(Int)
        /// The call would block: wait for readiness.
        case wouldBlock
        /// The peer has closed or reset the connection.
        case ended
    }

    /// Listens on a port of 127.0.0.1. For 0, the system chooses it.
    package static func listen(
        port: UInt16 = 0
    ) throws(SystemFailure) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags, 0)
        guard descriptor >= 0 else { throw SystemFailure("socket", errno: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0
                    && Glibc.listen(descriptor, SOMAXCONN) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let reason = errno
            close(descriptor)
            throw SystemFailure("bind", errno: reason)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Accepts the next pending connection; nil if there is none.
    package static func accept(_ listener: Int32) -> Int32? {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var on: Int32 = 1
        _ = unsafe setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
        return descriptor
    }

    /// Appends up to `count` received bytes to `bytes`.
    package static func receive(
        _ descriptor: Int32,
        appendingTo bytes: inout [UInt8],
        upTo count: Int
    ) -> Outcome {
        var got = 0
        bytes.append(addingCapacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                guard let start = buffer.baseAddress else { return }
                got = unsafe recv(descriptor, start + filled, count, 0)
                filled += max(got, 0)
            }
        }
        return outcome(got)
    }

    /// Sends as many of `bytes` as possible without blocking.
    package static func send(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Outcome {
        let sent = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor,
                buffer.baseAddress,
                buffer.count,
                Int32(MSG_NOSIGNAL)
            )
        }
        return sent == 0 ? .moved(0) : outcome(sent)
    }

    private static var flags: Int32 {
        Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    }

    private static func outcome(_ count: Int) -> Outcome {
        if count > 0 { return .moved(count) }
        guard count < 0, errno == EAGAIN || errno == EINTR else { return .ended }
        return .wouldBlock
    }
}
