import Posix

/// An archive file that is being written.
///
/// It is called `NAME-00000.tar.part` and is renamed to `NAME-00000.tar` when it is closed. A lock
/// marks it as in use until then, so that ``ArchiveRecovery`` of another run doesn't take it for a
/// file that a killed run has left.
struct ArchiveFile: ~Copyable, Sendable {
    /// The final name.
    let name: String
    /// The number of bytes written.
    private(set) var length: Int64 = 0
    /// The number of bodies written.
    private(set) var entries = 0
    private let path: String
    private let file: FileDescriptor

    /// Creates the next file of its kind in a folder.
    ///
    /// - Parameter number: In: the first number to try. Out: the number that was used.
    init(
        folder: String,
        name: String,
        ending: String,
        number: inout Int
    ) throws(FileError) {
        while true {
            let full = Self.name(name, number, ending)
            let path = "\(folder)/\(full)"
            guard try FileSystem.kind(of: path) == nil else {
                number += 1
                continue
            }
            do throws(FileError) {
                file = try Self.make(path + ".part")
            } catch {
                guard error.isExistingFile else { throw error }
                number += 1
                continue
            }
            self.name = full
            self.path = path
            return
        }
    }

    /// Unlocks explicitly, because a child process started meanwhile has inherited the lock.
    deinit { file.unlock() }

    private static func make(_ path: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor.openForWriting(path, creation: .exclusive)
        try file.lock()
        return file
    }

    /// Returns `shard-00017.tar`.
    static func name(_ name: String, _ number: Int, _ ending: String) -> String {
        "\(name)-\(String(number).zeroPadded(to: 5)).\(ending)"
    }

    /// Writes one body with its metadata.
    mutating func add<Result>(
        _ write: (inout ArchiveFile) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        let result = try write(&self)
        entries += 1
        return result
    }

    /// Appends bytes.
    mutating func write(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
        length += Int64(bytes.count)
    }

    /// Syncs the file to disk and gives it its final name.
    consuming func close() throws(FileError) {
        try file.synchronize()
        try FileSystem.renameExclusively(path + ".part", to: path)
    }
}
