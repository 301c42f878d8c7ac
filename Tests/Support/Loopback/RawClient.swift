internal import CTestSupport
internal import Glibc
internal import Synchronization

/// A blocking connection for tests that write the protocol's bytes themselves.
///
/// Use it outside Swift's thread pool (`NativeThread.run`) if the peer may be slow.
package final class RawClient: Sendable {
    private let descriptor: Mutex<Int32>

    package init(port: Int) throws {
        let descriptor = ts_connect_ipv4(UInt16(port))
        guard descriptor >= 0 else { throw SystemError("connect") }
        self.descriptor = Mutex(descriptor)
    }

    package init(ipv6Port port: Int) throws {
        let descriptor = ts_connect_ipv6(UInt16(port))
        guard descriptor >= 0 else { throw SystemError("connect") }
        self.descriptor = Mutex(descriptor)
    }

    package init(unixPath: String) throws {
        let descriptor = ts_connect_unix(unixPath)
        guard descriptor >= 0 else { throw SystemError("connect") }
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    package func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        try descriptor.withLock { descriptor in
            var offset = 0
            while offset < bytes.count {
                let sent = bytes[offset...].withUnsafeBytes { buffer in
                    buffer.baseAddress.map { ts_send(descriptor, $0, bytes.count - offset) } ?? 0
                }
                guard sent >= 0 else { throw SystemError("send") }
                offset += sent
            }
        }
    }

    /// Reads the next bytes; empty when the peer has closed.
    package func receive(atMost count: Int = 1 << 16) throws -> [UInt8] {
        try descriptor.withLock { descriptor in
            var bytes = [UInt8](repeating: 0, count: count)
            let received = read(descriptor, &bytes, count)
            guard received >= 0 else { throw SystemError("read") }
            return Array(bytes.prefix(received))
        }
    }

    /// Reads until the received text contains `text`, or the peer has closed. The result may
    /// contain more.
    package func receive(until text: String) throws -> String {
        var all = ""
        while !all.contains(text) {
            let bytes = try receive()
            if bytes.isEmpty { break }
            all += String(decoding: bytes, as: UTF8.self)
        }
        return all
    }

    package func receiveAll() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try receive()
            if bytes.isEmpty { return all }
            all += bytes
        }
    }
}
