import Glibc

/// A failed system call on a file, with the operation, the path and the reason.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation, as a verb for a message: "open", "read", "write", "rename" …
    package let operation: String
    /// The path, as the caller passed it.
    package let path: String
    /// The reason, a number from `errno.h`.
    package let errno: Int32

    package init(operation: String, path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// The reason as text: "No such file or directory".
    package var reason: String { SystemFailure.text(for: errno) }

    /// "cannot open “list.txt”: No such file or directory (errno 2)"
    package var description: String {
        "cannot \(operation) “\(path)”: \(reason) (errno \(errno))"
    }
}

extension FileError {
    /// The error for a folder instead of a file.
    package static func isDirectory(_ path: String) -> FileError {
        FileError(operation: "read", path: path, errno: EISDIR)
    }

    /// The error for a missing file.
    package static func isMissing(_ path: String) -> FileError {
        FileError(operation: "open", path: path, errno: ENOENT)
    }

    /// The error for a file whose lock has another owner.
    package static func inUse(_ path: String) -> FileError {
        FileError(operation: "lock", path: path, errno: EBUSY)
    }

    /// Whether another owner has the file's lock.
    package var isInUse: Bool { errno == EBUSY }

    /// Whether creating the file failed because its name exists.
    package var isExistingFile: Bool { errno == EEXIST }

    /// The `errno` for a descriptor that isn't open, or not for the operation.
    package static var badDescriptor: Int32 { EBADF }

    /// The `errno` for an existing file.
    package static var existingFile: Int32 { EEXIST }

    /// Whether other writes to the device will fail, too.
    ///
    /// The device is full, the user's quota is exceeded, or the device is read-only or broken.
    package var isPersistent: Bool { [ENOSPC, EDQUOT, EROFS, EIO].contains(errno) }

    /// Whether the file or folder doesn't exist.
    package var isMissingFile: Bool { errno == ENOENT }

    /// Whether the name belongs to a folder instead of a file, or the reverse.
    package var isNameTaken: Bool {
        errno == EISDIR || errno == ENOTDIR || errno == ENOTEMPTY || errno == EEXIST
    }
}
