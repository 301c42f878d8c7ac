internal import CPosix
import Glibc

/// Operations on files by path. Every call may block on the device.
package enum FileSystem {
    /// The type of the file at `path`, following symbolic links; `nil` if there is none.
    ///
    /// The corresponding C function is `stat`.
    package static func kind(of path: String) throws(FileError) -> FileDescriptor.Kind? {
        try check(path, "examine")
        var status = stat()
        if unsafe stat(path, &status) == 0 { return FileDescriptor.Kind(mode: status.st_mode) }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// The type of the file at `path`, without following symbolic links.
    ///
    /// A symbolic link is of type `other`. The corresponding C function is `lstat`.
    package static func plainKind(of path: String) throws(FileError) -> FileDescriptor.Kind? {
        try check(path, "examine")
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return FileDescriptor.Kind(mode: status.st_mode) }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// The nine permission bits of `path`, as in `chmod`; `nil` if there is no such file.
    package static func permissions(of path: String) throws(FileError) -> UInt32? {
        try check(path, "examine")
        var status = stat()
        if unsafe stat(path, &status) == 0 { return status.st_mode & 0o777 }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// Creates a folder and its parents. Existing ones are not an error.
    ///
    /// The corresponding C function is `mkdir`.
    ///
    /// - Parameter didMake: Called with each folder that was missing, the outermost first.
    package static func makeDirectory(
        _ path: String,
        didMake: (String) throws(FileError) -> Void = { _ throws(FileError) in }
    ) throws(FileError) {
        try check(path, "create folder")
        if unsafe mkdir(path, 0o777) == 0 { return try didMake(path) }
        switch errno {
        case EEXIST:
            guard try kind(of: path) == .directory else {
                throw FileError(operation: "create folder", path: path, errno: ENOTDIR)
            }
        case ENOENT:
            guard let parent = parent(of: path) else { throw failure("create folder", path) }
            try makeDirectory(parent, didMake: didMake)
            // Another process may have created it meanwhile.
            if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
                throw failure("create folder", path)
            }
            try didMake(path)
        default:
            throw failure("create folder", path)
        }
    }

    /// Creates the parent folder of `path`, and its parents.
    ///
    /// - Parameter didMake: As with ``makeDirectory(_:didMake:)``.
    package static func makeParent(
        of path: String,
        didMake: (String) throws(FileError) -> Void = { _ throws(FileError) in }
    ) throws(FileError) {
        if let parent = parent(of: path) { try makeDirectory(parent, didMake: didMake) }
    }

    /// Renames a file, and replaces an existing one.
    ///
    /// The corresponding C function is `rename`.
    package static func rename(_ path: String, to newPath: String) throws(FileError) {
        try check(newPath, "rename to")
        guard unsafe Glibc.rename(path, newPath) == 0 else { throw failure("rename to", newPath) }
    }

    /// Renames a file atomically, unless the new name exists (`EEXIST`).
    ///
    /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`. If the kernel or the
    /// file system doesn't support it, `link` is used, and then the old name is removed.
    package static func renameExclusively(_ path: String, to newPath: String) throws(FileError) {
        try check(newPath, "rename to")
        if unsafe cposix_rename_exclusively(path, newPath) == 0 { return }
        guard errno == EINVAL || errno == ENOSYS else { throw failure("rename to", newPath) }
        guard unsafe link(path, newPath) == 0 else { throw failure("rename to", newPath) }
        try remove(path)
    }

    /// Removes a file. A missing one is not an error. The corresponding C function is `unlink`.
    package static func remove(_ path: String) throws(FileError) {
        try check(path, "remove")
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw failure("remove", path)
    }

    /// Removes an empty folder. A missing one is not an error.
    ///
    /// The corresponding C function is `rmdir`.
    package static func removeDirectory(_ path: String) throws(FileError) {
        try check(path, "remove")
        guard unsafe rmdir(path) != 0, errno != ENOENT else { return }
        throw failure("remove", path)
    }

    /// The part of `path` before the last slash; nil if it is the root or empty.
    static func parent(of path: String) -> String? {
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == bytes.startIndex ? nil : String(path[..<slash])
    }

    static func failure(_ operation: String, _ path: String) -> FileError {
        FileError(operation: operation, path: path, errno: errno)
    }

    /// Rejects a NUL, which C would take for the end of the path.
    static func check(_ path: String, _ operation: String) throws(FileError) {
        guard path.utf8.contains(0) else { return }
        throw FileError(operation: operation, path: path, errno: EINVAL)
    }
}
