import Glibc

extension FileDescriptor {
    /// The handling of a file that may have to be created.
    package enum Creation: Sendable {
        /// Create the file, or truncate an existing one.
        case truncating
        /// Create the file, or append to an existing one.
        case appending
        /// Create the file. An existing file or symbolic link is an error (`EEXIST`).
        case exclusive
    }

    /// Opens a file for reading.
    ///
    /// A directory is an error (`EISDIR`), which `open` itself would report only at the first read.
    ///
    /// - Parameter waitsForWriter: Whether opening a named pipe waits for its writer. If not, the
    ///   file is non-blocking. It becomes readable when a writer has written to it or closed it.
    package static func openForReading(
        _ path: String,
        waitsForWriter: Bool = true
    ) throws(FileError) -> FileDescriptor {
        let file = try open(path, O_RDONLY | (waitsForWriter ? 0 : O_NONBLOCK), mode: 0)
        guard try file.kind() != .directory else { throw file.failure("read", errno: EISDIR) }
        return file
    }

    /// Opens a file for writing, created with `mode` less the process' umask.
    ///
    /// - Parameter followsLinks: Whether a symbolic link with that name is followed. If not, it is
    ///   an error (`ELOOP`).
    package static func openForWriting(
        _ path: String,
        creation: Creation,
        mode: UInt32 = 0o666,
        followsLinks: Bool = true
    ) throws(FileError) -> FileDescriptor {
        let flags =
            switch creation {
            case .truncating: O_TRUNC
            case .appending: O_APPEND
            case .exclusive: O_EXCL
            }
        let link = followsLinks ? 0 : O_NOFOLLOW
        return try open(path, O_WRONLY | O_CREAT | flags | link, mode: mode)
    }

    /// Opens a file for reading and writing. It is created if missing, but not truncated.
    ///
    /// - Parameter followsLinks: As with ``openForWriting(_:creation:mode:followsLinks:)``.
    package static func openForUpdating(
        _ path: String,
        mode: UInt32 = 0o666,
        followsLinks: Bool = true
    ) throws(FileError) -> FileDescriptor {
        try open(path, O_RDWR | O_CREAT | (followsLinks ? 0 : O_NOFOLLOW), mode: mode)
    }

    /// Opens a folder, for ``synchronizeFileSystem()``.
    package static func openDirectory(_ path: String) throws(FileError) -> FileDescriptor {
        try open(path, O_RDONLY | O_DIRECTORY, mode: 0)
    }

    /// The standard input of the process, which stays open.
    package static var standardInput: FileDescriptor {
        FileDescriptor(number: STDIN_FILENO, path: "standard input", isOwned: false)
    }

    /// The standard output of the process, which stays open.
    package static var standardOutput: FileDescriptor {
        FileDescriptor(number: STDOUT_FILENO, path: "standard output", isOwned: false)
    }

    /// The standard error output of the process, which stays open.
    package static var standardError: FileDescriptor {
        FileDescriptor(number: STDERR_FILENO, path: "standard error", isOwned: false)
    }

    /// Opens a file. The corresponding C function is `open`.
    ///
    /// A path with a NUL is an error (`EINVAL`): C would open the path before it.
    private static func open(
        _ path: String,
        _ flags: Int32,
        mode: UInt32
    ) throws(FileError) -> FileDescriptor {
        guard !path.utf8.contains(0) else {
            throw FileError(operation: "open", path: path, errno: EINVAL)
        }
        while true {
            let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(number: number, path: path) }
            guard errno == EINTR else {
                throw FileError(operation: "open", path: path, errno: errno)
            }
        }
    }
}
