import Curl
import Synchronization

/// A file that remembers which URLs of a list are done with, so that a run that ended in the middle,
/// however it did, goes on where it was.
///
/// It is appended to and never rewritten. A body is on the disk before its line is in the results,
/// and that is before the journal knows of it. What was lost in between is found again when the
/// journal is opened the next time: a torn last line of the results is cut off, and lines that the
/// journal doesn't know of are read back. Where files that are there have to stay
/// (``FileNaming/existing``), `NAME.claims` beside it says which of them are the runs' own. One run at
/// a time can use a journal (`flock`).
///
/// ```swift
/// let journal = try BatchJournal(path: "journal", lists: ["urls.txt"], results: "results.jsonl")
/// let log = try ResultLog(journal: journal)
/// let run = try Batch().start(.file("urls.txt"), journal: journal)
/// for await result in run { log.append(result) }
/// try log.close()
/// ```
public final class BatchJournal: Sendable {
    /// How many URLs were done with when it was opened.
    public let doneCount: Int
    /// How many of those failed.
    public let failedCount: Int
    /// What was damaged in it and is made up for, in words; nil if nothing was.
    public let damage: String?
    /// The ordinals of what was done with when it was opened.
    let done: OrdinalSet
    let resultsPath: String
    let outputPath: String?
    /// What tells the files that its runs are writing from others' ones: the same each time.
    let mark: String
    /// The bytes of the results that are to be kept.
    let resultsLength: Int64
    private let path: String
    /// Whether nothing was in it.
    let isNew: Bool
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var file: FileDescriptor
        /// What is still to be written before anything else is, of a new journal.
        var header: JournalHeader?
        var claims: BodyClaims?

        init(file: consuming FileDescriptor, header: JournalHeader?) {
            self.file = file
            self.header = header
        }

        /// Closing wouldn't do: a process that is being started at this moment has the file, too, and
        /// with it the lock, until it runs its own program.
        deinit {
            file.unlock()
        }
    }

    /// Opens a journal, or makes one, and reads the results' end. Blocks.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - lists: The lists of URLs, in their order, or URLs: plain files, which must not change
    ///     between two runs.
    ///   - options: How they are read, which must not change either as far as it decides which URL is
    ///     which: format, columns, base URL, patterns.
    ///   - results: The file of the results.
    ///   - output: The folder of the bodies, if they are kept.
    /// - Throws: ``BatchFailure`` with the code `journal` if it belongs to another list, results
    ///   or output, is of another version's format, or is used by another run; `input` or `output`
    ///   for files that can't be used.
    public init(
        path: String,
        lists: [String],
        options: BatchInput.Options = BatchInput.Options(),
        results: String,
        output: String? = nil
    ) throws(BatchFailure) {
        let header = try JournalReading.header(lists, options, results, output)
        // The journal may be in it.
        if let output { try SinkFactory.makeFolder(output) }
        let file = try Self.open(path)
        try Self.lock(file)
        let reading = try JournalReading(file, header)
        try Self.prepare(file, reading.content)
        done = reading.done
        damage = reading.damage
        doneCount = reading.done.count
        failedCount = reading.failed
        resultsPath = results
        outputPath = output
        mark = Self.mark(of: file)
        resultsLength = reading.resultsLength
        self.path = path
        isNew = reading.content.header == nil
        state = Mutex(State(file: file, header: isNew ? header : nil))
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

    /// Says in a new journal whose it is. From now on lines that the results have beyond the journal
    /// are its own: they have to be empty.
    func begin() throws(FileError) {
        try state.withLock { state throws(FileError) in
            guard let header = state.header else { return }
            try state.file.write(JournalCodec.magic + JournalCodec.block(header))
            try state.file.synchronizeFileSystem()
            state.header = nil
        }
    }

    /// Appends an entry, and returns when the disk has it.
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

    /// The claims to files that must not be taken for somebody else's after a kill; beside the journal,
    /// as `NAME.claims`.
    func claims() throws(BatchFailure) -> BodyClaims {
        do throws(FileError) {
            return try state.withLock { state throws(FileError) in
                if let claims = state.claims { return claims }
                let claims = try BodyClaims(
                    path: Self.claimsPath(path),
                    isNew: isNew,
                    done: done
                )
                state.claims = claims
                return claims
            }
        } catch {
            throw BatchFailure(.output, "\(error): it belongs to the journal")
        }
    }

    /// The files that its runs write beside the bodies.
    var ownFiles: [String] { [path, Self.claimsPath(path), resultsPath] }

    /// The file beside a journal that keeps the claims.
    package static func claimsPath(_ path: String) -> String { path + ".claims" }

    /// Of this journal alone, on this machine and others.
    private static func mark(of file: borrowing FileDescriptor) -> String {
        let machine = (try? TextFile.text(of: "/etc/machine-id")) ?? ""
        let identity = try? file.identity()
        let text = "\(machine) \(identity?.device ?? 0) \(identity?.number ?? 0)"
        return StableHash.digits(text.utf8)
    }

    private static func open(_ path: String) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            return try .openForUpdating(path)
        } catch {
            throw BatchFailure(.output, "\(error): name a journal that can be made")
        }
    }

    /// Keeps other runs from using it, until this one ends.
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
                "the journal “\(file.path)” is used by another run: wait for its end"
            )
        }
    }

    /// Cuts off what is torn.
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
