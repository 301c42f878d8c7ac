internal import CCurl
import Glibc

/// What is done to files by their path. Every call may block on the device.
package enum FileSystem {
    /// What `path` names, followed through symbolic links; `nil` if nothing does.
    /// The corresponding C function is `stat`.
    package static func kind(of path: String) throws(FileError) -> FileDescriptor.Kind? {
        try check(path, "examine")
        var status = stat()
        if unsafe stat(path, &status) == 0 { return FileDescriptor.Kind(mode: status.st_mode) }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// The same of what has the name itself: a symbolic link is something else than what it leads to.
    /// The corresponding C function is `lstat`.
    package static func plainKind(of path: String) throws(FileError) -> FileDescriptor.Kind? {
        try check(path, "examine")
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return FileDescriptor.Kind(mode: status.st_mode) }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// Who may do what with `path`, as the nine bits of `chmod`; `nil` if there is no such thing.
    package static func permissions(of path: String) throws(FileError) -> UInt32? {
        try check(path, "examine")
        var status = stat()
        if unsafe stat(path, &status) == 0 { return status.st_mode & 0o777 }
        guard errno == ENOENT else { throw failure("examine", path) }
        return nil
    }

    /// Makes a folder and those above it; one that exists is fine.
    /// The corresponding C function is `mkdir`.
    ///
    /// - Parameter didMake: Is called with each folder that wasn't there, the outermost first.
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
            // Somebody else may have made it since.
            if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
                throw failure("create folder", path)
            }
            try didMake(path)
        default:
            throw failure("create folder", path)
        }
    }

    /// Makes the folder in which `path` is to be, and those above it.
    ///
    /// - Parameter didMake: As with ``makeDirectory(_:didMake:)``.
    package static func makeParent(
        of path: String,
        didMake: (String) throws(FileError) -> Void = { _ throws(FileError) in }
    ) throws(FileError) {
        if let parent = parent(of: path) { try makeDirectory(parent, didMake: didMake) }
    }

    /// Gives a file another name, in place of one that has it.
    /// The corresponding C function is `rename`.
    package static func rename(_ path: String, to newPath: String) throws(FileError) {
        try check(newPath, "rename to")
        guard unsafe Glibc.rename(path, newPath) == 0 else { throw failure("rename to", newPath) }
    }

    /// Gives a file another name, unless one has it (`EEXIST`), in one step.
    ///
    /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`. Where the kernel or the file system
    /// doesn't know that, it is `link`, and the old name goes afterwards.
    package static func renameExclusively(_ path: String, to newPath: String) throws(FileError) {
        try check(newPath, "rename to")
        if unsafe ccurl_rename_exclusively(path, newPath) == 0 { return }
        guard errno == EINVAL || errno == ENOSYS else { throw failure("rename to", newPath) }
        guard unsafe link(path, newPath) == 0 else { throw failure("rename to", newPath) }
        try remove(path)
    }

    /// Removes a file; one that isn't there is fine. The corresponding C function is `unlink`.
    package static func remove(_ path: String) throws(FileError) {
        try check(path, "remove")
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw failure("remove", path)
    }

    /// Removes a folder in which nothing is; one that isn't there is fine. The corresponding C function
    /// is `rmdir`.
    package static func removeDirectory(_ path: String) throws(FileError) {
        try check(path, "remove")
        guard unsafe rmdir(path) != 0, errno != ENOENT else { return }
        throw failure("remove", path)
    }

    /// What stands before the last slash of `path`, if anything does that isn't the root.
    static func parent(of path: String) -> String? {
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == bytes.startIndex ? nil : String(path[..<slash])
    }

    static func failure(_ operation: String, _ path: String) -> FileError {
        FileError(operation: operation, path: path, errno: errno)
    }

    /// C would take a NUL for the end of the path.
    static func check(_ path: String, _ operation: String) throws(FileError) {
        guard path.utf8.contains(0) else { return }
        throw FileError(operation: operation, path: path, errno: EINVAL)
    }
}
