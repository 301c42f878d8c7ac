internal import Curl
internal import Foundation

/// What keeps two processes from having the same journal open: the lock of a file (`flock`), which the
/// kernel takes back when the process ends, however that happens. The file says which process it is.
struct JournalLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Takes the lock. Throws ``TransferJournalError/Code/locked`` if somebody else has it.
    init(folder: String) throws {
        let path = folder + "/" + Self.name
        let file = try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600)
        guard try file.tryLock() else { throw Self.taken(path, folder: folder) }
        try file.truncate(to: 0)
        try file.write(Array("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
        self.file = file
    }

    /// Closing wouldn't do: a process that is being started at this moment has the file, too, and with it the
    /// lock, until it runs its own program.
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
            "The journal in “\(folder)” is open in \(holder). One process at a time may have it: end "
                + "that one or close its journal, or choose another folder.",
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
