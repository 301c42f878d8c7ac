import Glibc

extension FileDescriptor {
    /// The type of a file.
    package enum Kind: Sendable {
        case regular
        case directory
        case other
    }

    /// The size in bytes; 0 for a pipe or a terminal. The corresponding C function is `fstat`.
    package func size() throws(FileError) -> Int64 {
        Int64(try status().st_size)
    }

    /// The file's type.
    package func kind() throws(FileError) -> Kind {
        Kind(mode: try status().st_mode)
    }

    /// The time of the last change of the content, in nanoseconds since 1970.
    package func modificationTime() throws(FileError) -> Int64 {
        let time = try status().st_mtim
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether the file has no name, for example because it was deleted.
    package func isDeleted() throws(FileError) -> Bool { try status().st_nlink == 0 }

    /// Sets the time of the last change of the content, in seconds since 1970.
    ///
    /// The corresponding C function is `futimens`.
    package func setModificationTime(_ seconds: Int64) throws(FileError) {
        // The value of UTIME_OMIT: the time of the last access stays.
        let access = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        let modification = timespec(tv_sec: Int(clamping: seconds), tv_nsec: 0)
        guard unsafe futimens(number, [access, modification]) == 0 else {
            throw failure("set the time of")
        }
    }

    /// Whether it is a terminal. The corresponding C function is `isatty`.
    package var isTerminal: Bool { isatty(number) == 1 }

    private func status() throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw failure("examine") }
        return status
    }
}

extension FileDescriptor.Kind {
    init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            default: .other
            }
    }
}
