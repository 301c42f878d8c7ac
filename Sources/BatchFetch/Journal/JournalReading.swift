import Posix

/// A journal combined with the end of its results.
struct JournalReading {
    private static let chunk = 256 * 1024

    /// The header of the current run. It differs from the journal's if a list has more lines.
    let header: JournalHeader
    let content: JournalContent
    /// The result lines that the journal doesn't have.
    let tail: ResultTail
    let damage: String?
    /// The ordinals of the completed URLs.
    let done: OrdinalSet

    /// How many of those failed.
    var failed: Int { content.failed + tail.failed }

    /// The length of the valid results, in bytes.
    var resultsLength: Int64 { content.resultsLength + tail.wholeLength }

    /// The number of completed URLs.
    var doneCount: Int { header.isStream ? content.answerCount : done.count }

    /// The answered requests of an endless list; `nil` for other lists.
    var answered: AnsweredRequests? {
        guard header.isStream else { return nil }
        return AnsweredRequests(content.answers.suffix(AnsweredRequests.limit))
    }

    /// Reads the journal at this path. A missing file is an empty journal.
    ///
    /// - Throws: ``BatchFailure`` with the code `journal` if the journal belongs to another run;
    ///   `input` or `output` for unusable files.
    init(
        _ path: String,
        _ lists: [String],
        _ options: BatchInput.Options,
        _ results: String,
        _ output: String?
    ) throws(BatchFailure) {
        let header = try Self.header(lists, options, results, output)
        let file: FileDescriptor
        do throws(FileError) {
            file = try .openForReading(path)
        } catch {
            guard error.isMissingFile else {
                throw BatchFailure(.journal, "\(error): name a journal that can be read")
            }
            self.init(nothingFor: header)
            return
        }
        try self.init(file, header)
    }

    private init(nothingFor header: JournalHeader) {
        self.header = header
        content = JournalContent()
        tail = ResultTail()
        damage = nil
        done = OrdinalSet()
    }

    /// Reads an open journal.
    init(_ file: borrowing FileDescriptor, _ header: JournalHeader) throws(BatchFailure) {
        let (content, damage, isHeaderDamaged) = try Self.read(file, for: header)
        var header = header
        header.input = try Self.input(of: header, resuming: content.header, file.path)
        var tail = ResultTail()
        if header.results != "-" {
            tail = try ResultTail(
                of: header.results,
                content,
                damagedJournal: isHeaderDamaged ? file.path : nil
            )
        }
        // The lines of an endless list that the journal doesn't have are cut off, and their requests
        // are answered again: a line of results doesn't identify its request.
        if header.isStream { tail = ResultTail() }
        var done = content.done
        for entry in tail.entries { done.insert(entry.ordinal) }
        self.header = header
        self.content = content
        self.tail = tail
        self.damage = damage
        self.done = done
    }

    /// Returns the header of the current run.
    static func header(
        _ lists: [String],
        _ options: BatchInput.Options,
        _ results: String,
        _ output: String?
    ) throws(BatchFailure) -> JournalHeader {
        JournalHeader(
            input: try InputIdentity(of: lists),
            reading: InputFingerprint(of: lists, options),
            results: results,
            output: output ?? ""
        )
    }

    /// Returns the lists as the journal has to record them.
    ///
    /// - Throws: ``BatchFailure/Code/journal`` if they differ from those that it records.
    private static func input(
        of header: JournalHeader,
        resuming earlier: JournalHeader?,
        _ path: String
    ) throws(BatchFailure) -> InputIdentity {
        switch try header.input.resuming(earlier?.input) {
        case .resumable(let identity): return identity
        case .changed(let reason): throw unusable(path, reason)
        }
    }

    private static func unusable(_ path: String, _ objection: String) -> BatchFailure {
        BatchFailure(
            .journal,
            "the journal “\(path)” can't be resumed: \(objection); name another file to restart"
        )
    }

    private static func read(
        _ file: borrowing FileDescriptor,
        for header: JournalHeader
    ) throws(BatchFailure) -> (JournalContent, damage: String?, isHeaderDamaged: Bool) {
        var parser = JournalParser()
        var beginning: [UInt8] = []
        var count = 0
        do throws(FileError) {
            while true {
                let bytes = try file.bytes(at: Int64(count), upTo: chunk)
                if bytes.isEmpty { break }
                if count == 0 { beginning = Array(bytes.prefix(JournalCodec.magic.count)) }
                parser.read(bytes)
                count += bytes.count
            }
        } catch {
            throw BatchFailure(.journal, "\(error)")
        }
        let content = parser.content
        if let version = JournalCodec.otherVersion(beginning) {
            throw BatchFailure(
                .journal,
                "the journal “\(file.path)” has the format \(version), which this version can't "
                    + "resume: use the version that created it, or name another file to restart"
            )
        }
        guard !parser.isForeign else {
            throw BatchFailure(
                .journal,
                "“\(file.path)” is not a journal: name another file; if it was one, --failed-from "
                    + "with its results fetches the rest"
            )
        }
        if let objection = content.header?.objection(to: header) {
            throw unusable(file.path, objection)
        }
        let isTorn = content.header != nil && content.validLength < count
        let damage = "the journal is truncated after byte \(content.validLength)"
        let isHeaderDamaged = content.header == nil && count > JournalCodec.magic.count
        return (content, isTorn ? damage : nil, isHeaderDamaged)
    }
}
