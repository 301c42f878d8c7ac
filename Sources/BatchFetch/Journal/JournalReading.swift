import Curl

/// What a journal's file and the end of its results say together.
struct JournalReading {
    private static let chunk = 256 * 1024

    /// Which run asks.
    let header: JournalHeader
    let content: JournalContent
    /// What the results say beyond the journal.
    let tail: ResultTail
    let damage: String?
    /// The ordinals of what is done with.
    let done: OrdinalSet

    /// How many of those failed.
    var failed: Int { content.failed + tail.failed }

    /// The bytes of the results that are to be kept.
    var resultsLength: Int64 { content.resultsLength + tail.wholeLength }

    /// Reads a journal of that path, which needn't be there.
    ///
    /// - Throws: ``BatchFailure`` with the code `journal` if it belongs to something else; `input` or
    ///   `output` for files that can't be used.
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

    /// Reads a journal that is open.
    init(_ file: borrowing FileDescriptor, _ header: JournalHeader) throws(BatchFailure) {
        let (content, damage) = try Self.read(file, for: header)
        let tail = try ResultTail(of: header.results, content)
        var done = content.done
        for entry in tail.entries { done.insert(entry.ordinal) }
        self.header = header
        self.content = content
        self.tail = tail
        self.damage = damage
        self.done = done
    }

    /// Which run it is that asks.
    static func header(
        _ lists: [String],
        _ options: BatchInput.Options,
        _ results: String,
        _ output: String?
    ) throws(BatchFailure) -> JournalHeader {
        JournalHeader(
            input: try InputIdentity(of: lists),
            reading: ListReading(of: lists, options),
            results: results,
            output: output ?? ""
        )
    }

    private static func read(
        _ file: borrowing FileDescriptor,
        for header: JournalHeader
    ) throws(BatchFailure) -> (JournalContent, damage: String?) {
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
        if let version = JournalCodec.foreignVersion(beginning) {
            throw BatchFailure(
                .journal,
                "the journal “\(file.path)” has the format \(version), which this version can't go "
                    + "on with: use the version that began it, or name another file to begin anew"
            )
        }
        guard !parser.isForeign else {
            throw BatchFailure(.journal, "“\(file.path)” is no journal: name another file")
        }
        if let objection = content.header?.objection(to: header) {
            throw BatchFailure(
                .journal,
                "the journal “\(file.path)” can't be gone on with: \(objection); "
                    + "name another file to begin anew"
            )
        }
        let isTorn = content.header != nil && content.validLength < count
        return (content, isTorn ? "the journal was torn behind byte \(content.validLength)" : nil)
    }
}
