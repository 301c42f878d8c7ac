internal import Glibc

/// Identifies a file regardless of its name.
///
/// No two existing files of a system have the same identity at the same time.
package struct FileIdentity: Sendable, Hashable, Codable {
    /// The device of the file.
    package let device: UInt64
    /// The inode number of the file.
    package let number: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension FileDescriptor {
    /// The file's identity. The corresponding C function is `fstat`.
    package func identity() throws(FileError) -> FileIdentity {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw failure("examine") }
        return FileIdentity(status)
    }
}

extension FileSystem {
    /// The identity of the file at `path`; `nil` if there is none.
    ///
    /// Symbolic links aren't followed. The corresponding C function is `lstat`.
    package static func identity(of path: String) throws(FileError) -> FileIdentity? {
        try check(path, "examine")
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return FileIdentity(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("examine", path) }
        return nil
    }

    /// Waits until the device has stored the names in a folder.
    ///
    /// This covers files that were created, renamed or removed there. The corresponding C function
    /// is `fsync`.
    package static func synchronizeDirectory(_ path: String) throws(FileError) {
        try check(path, "synchronize")
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure("synchronize", path) }
        let folder = FileDescriptor(number: number, path: path)
        while fsync(folder.number) != 0 {
            guard errno == EINTR else { throw folder.failure("synchronize") }
        }
    }

    /// Waits until the device has stored the name of a file, or its removal.
    package static func synchronizeName(_ path: String) throws(FileError) {
        try synchronizeDirectory(parent(of: path) ?? (path.hasPrefix("/") ? "/" : "."))
    }
}
