import Posix

/// Parses the fields of result lines that a journal needs. Does no input or output.
struct ResultTail: Sendable {
    /// The fields of one line.
    struct Entry: Sendable, Hashable {
        let ordinal: Int
        let isFetched: Bool
    }

    /// The parsed lines, in order.
    private(set) var entries: [Entry] = []
    private var lines = LoggedResults()

    /// The length of the complete lines, in bytes.
    var wholeLength: Int64 { lines.wholeLength }

    /// Whether a line was not a result.
    var hasInvalidLine: Bool { lines.hasInvalidLine }

    /// The number of failed URLs.
    var failed: Int { entries.count { !$0.isFetched } }

    /// Parses the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        var found: [Entry] = []
        lines.read(bytes) { line, _ in
            found.append(Entry(ordinal: line.ordinal, isFetched: line.isFetched))
        }
        entries += found
    }
}

extension ResultTail {
    private static let chunk = 1 << 20

    /// Reads the result lines that the journal doesn't have.
    ///
    /// The results of a new journal must be empty, because such a run starts from the beginning.
    ///
    /// - Parameter damagedJournal: The path of the journal, if its header is damaged.
    /// - Throws: ``BatchFailure/Code/journal`` if these can't be the results of this journal.
    init(
        of path: String,
        _ content: JournalContent,
        damagedJournal: String? = nil
    ) throws(BatchFailure) {
        self.init()
        let isMissing: Bool
        do throws(FileError) {
            isMissing = try FileSystem.kind(of: path) == nil
        } catch {
            throw BatchFailure(.output, "\(error): name a file that can be created")
        }
        if content.header == nil {
            try Self.checkEmpty(path, isMissing: isMissing, damagedJournal: damagedJournal)
        }
        let isStarted = content.header != nil && content.resultsLength > 0
        guard isStarted || (content.header != nil && !isMissing) else { return }
        let mismatch = BatchFailure(
            .journal,
            "the results “\(path)” are shorter than their journal says, so they are other results: "
                + "restore the original ones (they may have been renamed), or name another "
                + "journal and other results"
        )
        if isMissing { throw mismatch }
        let size: Int64
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            size = try file.size()
            var start = content.resultsLength
            while start < size {
                let bytes = try file.bytes(at: start, upTo: Self.chunk)
                if bytes.isEmpty { break }
                read(bytes)
                start += Int64(bytes.count)
            }
        } catch {
            throw BatchFailure(.output, "\(error)")
        }
        guard size >= content.resultsLength else { throw mismatch }
        guard !hasInvalidLine else {
            throw BatchFailure(
                .journal,
                "the results “\(path)” have lines without a journal: name another file"
            )
        }
    }

    private static func checkEmpty(
        _ path: String,
        isMissing: Bool,
        damagedJournal: String?
    ) throws(BatchFailure) {
        guard !isMissing, let size = try? FileDescriptor.openForReading(path).size(), size > 0
        else { return }
        if let damagedJournal {
            throw BatchFailure(
                .journal,
                "the beginning of the journal “\(damagedJournal)” is damaged, so the run can't be "
                    + "resumed: fetch the rest with --failed-from \(path), another --results file "
                    + "and another journal"
            )
        }
        throw BatchFailure(
            .journal,
            "the results “\(path)” already exist, but the journal is new: name other results, "
                + "name the journal of these results, or remove them"
        )
    }
}
