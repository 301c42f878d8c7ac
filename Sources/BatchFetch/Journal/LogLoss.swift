import Posix

/// Notices that another program has deleted or truncated the files of a result log.
struct LogLoss: Sendable {
    private let path: String
    private let journal: BatchJournal?
    /// Whether the results have a name whose loss is noticed.
    private let isNamed: Bool
    /// Whether the journal has one.
    private let isJournalNamed: Bool

    init(path: String, journal: BatchJournal?, isNamed: Bool) {
        self.path = path
        self.journal = journal
        self.isNamed = isNamed
        isJournalNamed = journal.map { !$0.isDeleted } ?? false
    }

    /// What was lost; `nil` if nothing was.
    ///
    /// - Parameter length: The length of a journal's results, in bytes. Others may be truncated, as
    ///   programs for log rotation do.
    func failure(of results: borrowing FileDescriptor, length: Int64) -> BatchFailure? {
        guard let (loss, remedy) = loss(of: results, length: length) else { return nil }
        return BatchFailure(.output, "\(loss) during the run: \(remedy)")
    }

    private func loss(
        of results: borrowing FileDescriptor,
        length: Int64
    ) -> (loss: String, remedy: String)? {
        let otherFiles = "repeat the command with another journal and other results"
        if isNamed, (try? results.isDeleted()) == true {
            let remedy = journal == nil ? "repeat the command" : otherFiles
            return ("the file of results “\(path)” was deleted", remedy)
        }
        guard let journal else { return nil }
        if isNamed, let size = try? results.size(), size < length {
            return ("the file of results “\(path)” was truncated", otherFiles)
        }
        guard isJournalNamed, journal.isDeleted else { return nil }
        let remedy =
            path == "-"
            ? "repeat the command"
            : "fetch the rest with --failed-from \(path), another --results file and another journal"
        return ("the journal “\(journal.path)” was deleted", remedy)
    }
}
