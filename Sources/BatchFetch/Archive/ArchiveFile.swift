import Posix

/// An archive file that is being written, with its length.
struct ArchiveFile: ~Copyable, Sendable {
    /// The number of bytes written.
    private(set) var length: Int64 = 0
    /// The number of bodies written.
    private(set) var entries = 0
    private let target: any ArchiveTarget

    init(_ target: any ArchiveTarget) {
        self.target = target
    }

    /// The final name.
    var name: String { target.name }

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
        try target.write(bytes)
        length += Int64(bytes.count)
    }

    /// Ends the file, and gives it its final name.
    consuming func close() throws(FileError) {
        try target.close()
    }
}

/// A file of an archive in a folder.
///
/// It is called `NAME-00000.tar.part` and is renamed to `NAME-00000.tar` when it is closed. A lock
/// marks it as in use until then, so that ``ArchiveRecovery`` of another run doesn't take it for a
/// file that a killed run has left.
final class LocalArchiveFile: ArchiveTarget {
    let name: String
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
            let full = ArchiveName.file(name, number, ending)
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

    func write(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
    }

    /// Syncs the file to disk and gives it its final name.
    func close() throws(FileError) {
        try file.synchronize()
        try FileSystem.renameExclusively(path + ".part", to: path)
    }
}
