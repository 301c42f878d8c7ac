import Curl
import Synchronization

/// A file that remembers which URLs of a list are done with, so that a run that ended in the middle,
/// however it did, goes on where it was.
///
/// It is appended to and never rewritten. A body is on the disk before its line is in the results,
/// and that is before the journal knows of it. What was lost in between is found again when the
/// journal is opened the next time: a torn last line of the results is cut off, and lines that the
/// journal doesn't know of are read back. One run at a time can use a journal (`flock`).
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
    /// The bytes of the results that are to be kept.
    let resultsLength: Int64
    private let file: Mutex<FileDescriptor>

    /// Opens a journal, or makes one, and reads the results' end. Blocks.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - lists: The lists of URLs, in their order, or URLs: plain files, which must not change
    ///     between two runs.
    ///   - results: The file of the results.
    ///   - output: The folder of the bodies, if they are kept.
    /// - Throws: ``BatchFailure`` with the code `journal` if it belongs to another list, results
    ///   or output, or another run uses it; `input` or `output` for files that can't be used.
    public init(
        path: String,
        lists: [String],
        results: String,
        output: String? = nil
    ) throws(BatchFailure) {
        let header = JournalHeader(
            input: try InputIdentity(of: lists),
            results: results,
            output: output ?? ""
        )
        let file = try Self.open(path)
        try Self.lock(file)
        let (content, damage) = try Self.read(file, for: header)
        let tail = try ResultTail(of: results, content)
        try Self.prepare(file, content, header)
        var done = content.done
        for entry in tail.entries { done.insert(entry.ordinal) }
        self.done = done
        self.damage = damage
        doneCount = done.count
        failedCount = content.failed + tail.failed
        resultsPath = results
        outputPath = output
        resultsLength = content.resultsLength + tail.wholeLength
        self.file = Mutex(file)
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

    /// Appends an entry, and returns when the disk has it.
    func append(_ entry: JournalEntry) throws(FileError) {
        let block = JournalCodec.block(entry)
        try file.withLock { file throws(FileError) in
            try file.write(block)
            try file.synchronize()
        }
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

    private static func read(
        _ file: borrowing FileDescriptor,
        for header: JournalHeader
    ) throws(BatchFailure) -> (JournalContent, damage: String?) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.bytes(at: 0, upTo: Int(clamping: try file.size()))
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
        guard let content = JournalCodec.read(bytes) else {
            throw BatchFailure(.journal, "“\(file.path)” is no journal: name another file")
        }
        if let objection = content.header?.objection(to: header) {
            throw BatchFailure(
                .journal,
                "the journal “\(file.path)” can't be gone on with: \(objection); "
                    + "name another file to begin anew"
            )
        }
        let isTorn = content.header != nil && content.validLength < bytes.count
        return (content, isTorn ? "the journal was torn behind byte \(content.validLength)" : nil)
    }

    /// Cuts off what is torn, and says whose it is where that isn't said.
    private static func prepare(
        _ file: borrowing FileDescriptor,
        _ content: JournalContent,
        _ header: JournalHeader
    ) throws(BatchFailure) {
        do throws(FileError) {
            let length = content.header == nil ? 0 : Int64(content.validLength)
            try file.truncate(to: length)
            try file.seek(to: length)
            guard content.header == nil else { return }
            try file.write(JournalCodec.magic + JournalCodec.block(header))
            try file.synchronizeFileSystem()
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
    }
}
