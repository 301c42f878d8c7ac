import Glibc

/// The version of a file, which changes when it is replaced or written to.
///
/// It is taken from the file's status, not from its content. Two writes of the same length within
/// one tick of the kernel's clock (about 4 ms) give the same version.
package struct FileVersion: Sendable, Hashable {
    private let identity: FileIdentity
    private let size: Int64
    /// The times of the last change of content and of status, each in seconds and nanoseconds.
    private let changes: [Int]

    fileprivate init(_ status: stat) {
        identity = FileIdentity(status)
        size = Int64(status.st_size)
        changes = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
            status.st_ctim.tv_nsec,
        ]
    }
}

extension FileSystem {
    /// The version of the file at `path`, following symbolic links; nil if there is none.
    ///
    /// The corresponding C function is `stat`.
    package static func version(of path: String) -> FileVersion? {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
        return FileVersion(status)
    }

    /// `path` as an absolute path, if the working directory has a path.
    ///
    /// The corresponding C function is `getcwd`.
    package static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe "\(String(cString: folder))/\(path)"
    }
}
