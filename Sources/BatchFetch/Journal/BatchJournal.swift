import Posix
import Synchronization

/// A file of completed URLs, to resume interrupted runs.
///
/// The journal is only appended to, never rewritten. A body is on disk before its line is in the
/// results, and the line is on disk before the journal records it. Opening the journal repairs what
/// an interruption leaves: a torn last line of the results is cut off, and lines that the journal
/// doesn't have are read back. If existing files have to stay (``FileNaming/existing``),
/// `NAME.claims` next to the journal records which files belong to its runs. Only one run at a time
/// can use a journal (`flock`). A new journal has the mode 0600, and contains no user names,
/// passwords and queries of URLs that are given instead of a list.
///
/// If the only list is `-`, standard input, requests have no fixed ordinals. They are identified by
/// their URL, method, fields, content and tag: after a restart, a request that was answered n times
/// is skipped the next n times. The latest 4,194,304 answers count. The results may be `-`, standard
/// output.
///
/// ```swift
/// let journal = try BatchJournal(
///     path: "journal",
///     lists: ["urls.txt"],
///     results: "results.jsonl"
/// )
/// let log = try ResultLog(journal: journal)
/// let run = try Batch().start(.file("urls.txt"), journal: journal)
/// for await result in run { log.append(result) }
/// try log.close()
/// ```
public final class BatchJournal: Sendable {
    /// The number of completed URLs when the journal was opened.
    public let doneCount: Int
    /// How many of those failed.
    public let failedCount: Int
    /// Damage that opening the journal has repaired, in words. `nil` if there was none.
    public let damage: String?
    /// The ordinals of the completed URLs when the journal was opened.
    let done: OrdinalSet
    /// The answered requests when the journal was opened, if the list is standard input.
    let answered: AnsweredRequests?
    let resultsPath: String
    let outputPath: String?
    /// Identifies the journal in the names of its runs' unfinished files. It is the same in each
    /// run.
    let mark: String
    /// The length of the valid results, in bytes.
    let resultsLength: Int64
    let path: String
    /// Whether the file was new or had no header.
    let isNew: Bool
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var file: FileDescriptor
        /// The header that must be written before anything else, if the journal is new or its list
        /// has more lines.
        var header: JournalHeader?
        var claims: BodyOwners?

        init(file: consuming FileDescriptor, header: JournalHeader?) {
            self.file = file
            self.header = header
        }

        /// Releases the lock, because closing the file isn't enough. A child process that is being
        /// started shares the file and its lock until it executes its own program.
        deinit {
            file.unlock()
        }
    }

    /// Opens or creates a journal, and reads the end of the results. Blocks.
    ///
    /// - Parameters:
    ///   - path: The file of the journal.
    ///   - lists: The lists of URLs in their order, or URLs. Lists must be regular files. Between two
    ///     runs they may be copied, and the last one may get new lines at its end, which are fetched.
    ///     A new journal, and a list with another size or time, cause the list to be read once more.
    ///   - options: The options for reading the lists. Those that decide which URL has which
    ///     ordinal must not change either: format, columns, base URL, patterns.
    ///   - results: The file of the results.
    ///   - output: The folder or the address of the bodies, if they are kept.
    /// - Throws: ``BatchFailure`` with the code `journal` if the journal belongs to another list,
    ///   results or output, has another format version, or is in use by another run; `input` or
    ///   `output` for unusable files.
    public init(
        path: String,
        lists: [String],
        options: BatchInput.Options = BatchInput.Options(),
        results: String,
        output: String? = nil
    ) throws(BatchFailure) {
        let header = try JournalReading.header(lists, options, results, output)
        // The journal may be in the output folder.
        let folder = output.flatMap { ObjectStorage.isAddress($0) ? nil : $0 }
        if let folder { try BatchOutput.makeFolder(folder) }
        let file = try Self.open(path)
        try Self.lock(file)
        let reading = try JournalReading(file, header)
        try Self.prepare(file, reading.content)
        done = reading.done
        damage = reading.damage
        doneCount = reading.doneCount
        answered = reading.answered
        failedCount = reading.failed
        resultsPath = results
        outputPath = folder
        mark = Self.mark(of: file)
        resultsLength = reading.resultsLength
        self.path = path
        isNew = reading.content.header == nil
        let isRecorded = reading.content.header == reading.header
        state = Mutex(State(file: file, header: isRecorded ? nil : reading.header))
        let tail = reading.tail
        guard !tail.entries.isEmpty else { return }
        do throws(FileError) {
            try append(
                JournalEntry(
                    ordinals: tail.entries.map(\.ordinal),
                    failed: tail.failed,
                    resultsLength: resultsLength
                )
            )
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
    }

    /// Writes the header of a new journal, or the one with the new lines of a list.
    ///
    /// The results must be empty, because from now on lines beyond the journal count as its own.
    func begin() throws(FileError) {
        try state.withLock { state throws(FileError) in
            guard let header = state.header else { return }
            let beginning = isNew ? JournalCodec.magic : []
            try state.file.write(beginning + JournalCodec.block(header))
            try state.file.synchronizeFileSystem()
            state.header = nil
        }
    }

    /// Appends an entry; returns when it is on disk.
    func append(_ entry: JournalEntry) throws(FileError) {
        try begin()
        let block = JournalCodec.block(entry)
        let claims = try state.withLock { state throws(FileError) in
            try state.file.write(block)
            try state.file.synchronize()
            return state.claims
        }
        try claims?.settle(entry.ordinals)
    }

    /// Returns the registry of the runs' own files, `NAME.claims`. It is next to the journal.
    ///
    /// After a kill it distinguishes these files from files of other owners.
    func claims() throws(BatchFailure) -> BodyOwners {
        guard answered == nil else {
            throw BatchFailure(
                .configuration,
                "a journal of standard input can't keep existing files, because its lines have no "
                    + "fixed numbers: overwrite files, or copy standard input (--spool)"
            )
        }
        do throws(FileError) {
            return try state.withLock { state throws(FileError) in
                if let claims = state.claims { return claims }
                let claims = try BodyOwners(
                    path: Self.claimsPath(path),
                    isNew: isNew,
                    done: done
                )
                state.claims = claims
                return claims
            }
        } catch {
            throw BatchFailure(.output, "\(error): the journal needs this file")
        }
    }

    /// Whether the journal has no name, for example because it was deleted.
    var isDeleted: Bool { state.withLock { (try? $0.file.isDeleted()) == true } }

    /// The results, if they are a file.
    var resultFiles: [String] { resultsPath == "-" ? [] : [resultsPath] }

    /// The files that the journal's runs write in addition to the bodies.
    var ownFiles: [String] { [path, Self.claimsPath(path)] + resultFiles }

    /// Returns the path of a journal's claims.
    package static func claimsPath(_ path: String) -> String { path + ".claims" }

    /// Returns text that identifies this journal across machines.
    private static func mark(of file: borrowing FileDescriptor) -> String {
        let machine = (try? TextFile.text(of: "/etc/machine-id")) ?? ""
        let identity = try? file.identity()
        let text = "\(machine) \(identity?.device ?? 0) \(identity?.number ?? 0)"
        return StableHash.digits(text.utf8)
    }

    private static func open(_ path: String) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            return try .openForUpdating(path, mode: 0o600)
        } catch {
            throw BatchFailure(.output, "\(error): name a journal that can be created")
        }
    }

    /// Locks the journal against other runs until this run ends.
    private static func lock(_ file: borrowing FileDescriptor) throws(BatchFailure) {
        let isLocked: Bool
        do throws(FileError) {
            isLocked = try file.tryLock()
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
        guard isLocked else {
            throw BatchFailure(
                .journal,
                "the journal “\(file.path)” is used by another run: wait until it ends"
            )
        }
    }

    /// Cuts off a torn or damaged end.
    private static func prepare(
        _ file: borrowing FileDescriptor,
        _ content: JournalContent
    ) throws(BatchFailure) {
        do throws(FileError) {
            let length = content.header == nil ? 0 : Int64(content.validLength)
            try file.truncate(to: length)
            try file.seek(to: length)
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
    }
}
