import Curl

/// Closes the archives that a run left as `.part` when it was killed, so that what its results say is
/// in them can be found there: cut off behind the last entry that is whole.
struct ArchiveRecovery: Sendable {
    let folder: String
    /// What the archives are called before their number, and behind it.
    let name: String
    let ending: String
    /// What stands at the end of a closed one.
    let trailer: [UInt8]
    /// How much of a file is whole.
    let wholeLength: @Sendable (borrowing FileDescriptor) throws(FileError) -> Int64

    /// Looks at all numbers up to the first that is free. One that somebody writes at the moment, or
    /// of which nothing is whole, stays as it is.
    func run() throws(FileError) {
        var number = 0
        while true {
            let path = "\(folder)/\(ArchiveFile.name(name, number, ending))"
            let part = path + ".part"
            let isThere = try FileSystem.kind(of: path) != nil
            let isOpen = try FileSystem.kind(of: part) != nil
            guard isThere || isOpen else { return }
            if isOpen, !isThere { try close(part, as: path) }
            number += 1
        }
    }

    private func close(_ part: String, as path: String) throws(FileError) {
        let file = try FileDescriptor.openForUpdating(part)
        guard try file.tryLock() else { return }
        let length = try wholeLength(file)
        guard length > 0 else { return }
        try file.truncate(to: length)
        try file.seek(to: length)
        try file.write(trailer)
        try file.synchronize()
        try FileSystem.renameExclusively(part, to: path)
    }
}
