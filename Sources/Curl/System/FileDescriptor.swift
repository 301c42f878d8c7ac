import Glibc

/// An open file, pipe or terminal, closed when its owner lets go of it.
///
/// Every call may block on the device: none belongs on an event loop or a cooperative thread, unless
/// the file ``isInMemory``. Calls
/// that a signal interrupts are repeated, and a descriptor that somebody made non-blocking (a
/// terminal shared with another program) is waited for.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number that the kernel knows it by; -1 once closed.
    package private(set) var number: Int32
    /// The path it was opened by, for messages.
    package let path: String
    private let isOwned: Bool

    /// Takes over (or, with `isOwned` false, borrows) a descriptor that is open already.
    package init(number: Int32, path: String, isOwned: Bool = true) {
        self.number = number
        self.path = path
        self.isOwned = isOwned
    }

    deinit {
        if isOwned, number >= 0 { _ = Glibc.close(number) }
    }

    /// Closes it and tells what the device said: only then is it known that a write over a network
    /// file system arrived. The corresponding C function is `close`.
    package consuming func close() throws(FileError) {
        let closing = number
        number = -1
        guard isOwned, closing >= 0 else { return }
        // Never repeated after EINTR: on Linux the number is free again whatever close answers.
        guard Glibc.close(closing) != 0, errno != EINTR else { return }
        throw FileError(operation: "close", path: path, errno: errno)
    }

    /// An error of a call on this file, with the reason that the C library left behind.
    func failure(_ operation: String, errno number: Int32 = errno) -> FileError {
        FileError(operation: operation, path: path, errno: number)
    }
}
