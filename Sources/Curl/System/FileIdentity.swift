internal import Glibc

/// Which file it is, whatever its name: no two files of a system that exist at the same time have the
/// same.
package struct FileIdentity: Sendable, Hashable, Codable {
    /// The device that the file is on.
    package let device: UInt64
    /// The file's number there.
    package let number: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension FileDescriptor {
    /// Which file it is. The corresponding C function is `fstat`.
    package func identity() throws(FileError) -> FileIdentity {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw failure("examine") }
        return FileIdentity(status)
    }
}

extension FileSystem {
    /// Which file `path` names, not followed through a symbolic link; `nil` if there is none.
    /// The corresponding C function is `lstat`.
    package static func identity(of path: String) throws(FileError) -> FileIdentity? {
        try check(path, "examine")
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return FileIdentity(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("examine", path) }
        return nil
    }

    /// Returns when the device holds the names in a folder: which files were made, renamed and
    /// removed there. The corresponding C function is `fsync`.
    package static func synchronizeDirectory(_ path: String) throws(FileError) {
        try check(path, "synchronize")
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure("synchronize", path) }
        let folder = FileDescriptor(number: number, path: path)
        while fsync(folder.number) != 0 {
            guard errno == EINTR else { throw folder.failure("synchronize") }
        }
    }

    /// Returns when the device holds the name of a file, or that there is none any more.
    package static func synchronizeName(_ path: String) throws(FileError) {
        try synchronizeDirectory(parent(of: path) ?? (path.hasPrefix("/") ? "/" : "."))
    }
}
