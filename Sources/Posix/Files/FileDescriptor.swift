import Glibc

/// An open file, pipe or terminal, closed when the value is destroyed.
///
/// Every call may block on the device: don't use it on an event loop or a cooperative thread,
/// unless the file ``isInMemory``. Calls that a signal interrupts are repeated. If another program
/// made the descriptor non-blocking (a shared terminal), calls wait for it.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number of the descriptor; -1 after closing.
    package private(set) var number: Int32
    /// The path of the file, for messages.
    package let path: String
    private let isOwned: Bool

    /// Wraps an open descriptor, which it owns unless `isOwned` is false.
    package init(number: Int32, path: String, isOwned: Bool = true) {
        self.number = number
        self.path = path
        self.isOwned = isOwned
    }

    deinit {
        if isOwned, number >= 0 { _ = Glibc.close(number) }
    }

    /// Closes the file and reports errors of the device.
    ///
    /// Only this confirms a write over a network file system. The corresponding C function is
    /// `close`.
    package consuming func close() throws(FileError) {
        let closing = number
        number = -1
        guard isOwned, closing >= 0 else { return }
        // Never repeated after EINTR: on Linux, the number is then free in any case.
        guard Glibc.close(closing) != 0, errno != EINTR else { return }
        throw FileError(operation: "close", path: path, errno: errno)
    }

    /// The error of a call on this file, with the current `errno`.
    func failure(_ operation: String, errno number: Int32 = errno) -> FileError {
        FileError(operation: operation, path: path, errno: number)
    }
}
