import Curl

/// The file of an archive that is being written: `NAME-00000.tar.part`, which becomes
/// `NAME-00000.tar` when it is closed. It is locked until then, so that nobody takes it for one that
/// a run left behind when it was killed: see ``ArchiveRecovery``.
struct ArchiveFile: ~Copyable, Sendable {
    /// The name that it is to have in the end.
    let name: String
    /// How many bytes it has.
    private(set) var length: Int64 = 0
    /// How many bodies it has.
    var entries = 0
    private let path: String
    private let file: FileDescriptor

    /// Makes the next file of its kind in a folder.
    ///
    /// - Parameter number: Where to begin to look for a number that isn't taken; the one that is
    ///   used afterwards.
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

    private static func make(_ path: String) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor.openForWriting(path, creation: .exclusive)
        try file.lock()
        return file
    }

    /// `shard-00017.tar`
    static func name(_ name: String, _ number: Int, _ ending: String) -> String {
        "\(name)-\(String(number).zeroPadded(to: 5)).\(ending)"
    }

    /// Appends bytes.
    mutating func write(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
        length += Int64(bytes.count)
    }

    /// Gives it its name, once its bytes are on the device.
    consuming func close() throws(FileError) {
        try file.synchronize()
        try FileSystem.renameExclusively(path + ".part", to: path)
    }
}
