internal import CPosix
import Glibc

extension FileDescriptor {
    /// Creates an immutable file in memory, which no folder contains.
    ///
    /// Child processes don't inherit it. It exists as long as its descriptor, and ``pathInProcess``
    /// is its path. The corresponding C functions are `memfd_create` and `fcntl` with
    /// `F_ADD_SEALS`.
    ///
    /// - Parameter name: Shown in `/proc/self/fd`, without further meaning.
    package static func memory(
        _ name: String,
        holding content: [UInt8]
    ) throws(FileError) -> FileDescriptor {
        let number = unsafe cposix_memory_file(name)
        guard number >= 0 else {
            throw FileError(operation: "create in memory", path: name, errno: errno)
        }
        let file = FileDescriptor(number: number, path: name)
        try file.write(content.span)
        guard cposix_seal_memory_file(number) == 0 else { throw file.failure("seal") }
        return file
    }

    /// A path by which this process can open the file again, while the descriptor is open.
    ///
    /// See `proc_pid_fd(5)`.
    package var pathInProcess: String { "/proc/self/fd/\(number)" }
}
