internal import Foundation
internal import Posix

/// A file lock (`flock`) that prevents two processes from opening the same journal.
///
/// The kernel releases it when the process ends, however it ends. The file holds the process
/// identifier.
struct JournalLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Takes the lock. Throws ``TransferJournalError/Code/locked`` if another journal has it.
    init(folder: String) throws {
        let path = folder + "/" + Self.name
        let file = try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600)
        guard try file.tryLock() else { throw Self.taken(path, folder: folder) }
        try file.truncate(to: 0)
        try file.write(Array("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
        self.file = file
    }

    /// Unlocks explicitly; closing isn't enough. A child process that is just being started shares
    /// the file, and with it the lock, until it runs its own program.
    deinit {
        file.unlock()
    }

    private static let name = "journal.lock"

    private static func taken(_ path: String, folder: String) -> TransferJournalError {
        let text = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        let number = Int32(String(decoding: text.prefix { $0 != 10 }, as: UTF8.self))
        let own = ProcessInfo.processInfo.processIdentifier
        let holder =
            switch number {
            case nil: "another process"
            case own: "another TransferJournal of this process"
            case let number?: "process \(number)\(name(of: number))"
            }
        return TransferJournalError(
            .locked,
            "The journal in “\(folder)” is open in \(holder). Only one process at a time can open it: "
                + "end that process, close its journal, or choose another folder.",
            processIdentifier: number
        )
    }

    /// The name of a process' program, in parentheses.
    private static func name(of process: Int32) -> String {
        let path = URL(fileURLWithPath: "/proc/\(process)/comm")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return "" }
        return " (\(text.trimmingCharacters(in: .whitespacesAndNewlines)))"
    }
}
