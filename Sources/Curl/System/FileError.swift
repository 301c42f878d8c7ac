import Glibc

/// A system call on a file that failed: which one, on what, and why.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, as a verb for a message: "open", "read", "write", "rename" …
    package let operation: String
    /// The file, as the caller named it.
    package let path: String
    /// The reason, a number of `errno.h`.
    package let errno: Int32

    package init(operation: String, path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// The reason in words: "No such file or directory".
    package var reason: String { SystemFailure.text(for: errno) }

    /// "cannot open “list.txt”: No such file or directory (errno 2)"
    package var description: String {
        "cannot \(operation) “\(path)”: \(reason) (errno \(errno))"
    }
}

extension FileError {
    /// Of a folder where a file should be.
    package static func isDirectory(_ path: String) -> FileError {
        FileError(operation: "read", path: path, errno: EISDIR)
    }

    /// Of nothing where a file should be.
    package static func isMissing(_ path: String) -> FileError {
        FileError(operation: "open", path: path, errno: ENOENT)
    }

    /// Of a file that somebody else has the lock of.
    package static func inUse(_ path: String) -> FileError {
        FileError(operation: "go on with", path: path, errno: EBUSY)
    }

    /// Whether somebody else has it.
    package var isInUse: Bool { errno == EBUSY }

    /// Whether the file could not be made because one of that name exists.
    package var isExistingFile: Bool { errno == EEXIST }

    /// The number of `errno.h` for a descriptor that isn't open, or not for that.
    package static var badDescriptor: Int32 { EBADF }

    /// The number of `errno.h` for that.
    package static var existingFile: Int32 { EEXIST }

    /// Whether nothing else can be written there either: the device is full, or the user's share of
    /// it, or it is read-only or broken.
    package var isLasting: Bool { [ENOSPC, EDQUOT, EROFS, EIO].contains(errno) }

    /// Whether there was no such file or folder.
    package var isMissingFile: Bool { errno == ENOENT }

    /// Whether a folder is where a file should be, or a file where a folder should be.
    package var isNameTaken: Bool {
        errno == EISDIR || errno == ENOTDIR || errno == ENOTEMPTY || errno == EEXIST
    }
}
