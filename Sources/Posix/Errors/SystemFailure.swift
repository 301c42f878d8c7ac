internal import Glibc

/// A failed system call, with its name and the kernel's reason.
package struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system call's name, such as `epoll_create1`.
    package let call: String

    /// The call's `errno`.
    package let errno: Int32

    package init(_ call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The C library's text for an `errno`, such as "No such file or directory".
    package static func text(for errno: Int32) -> String {
        var buffer: [CChar] = Array(repeating: 0, count: 256)
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return "error \(errno)" }
            guard unsafe strerror_r(errno, start, buffer.count) == 0 else {
                return "error \(errno)"
            }
            return unsafe String(cString: start)
        }
    }

    package var description: String { "\(call): \(Self.text(for: errno))" }
}
