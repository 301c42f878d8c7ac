/// Decodes a journal incrementally; holds only the current block. Does no input or output.
struct JournalParser: Sendable {
    /// The content up to the first torn or damaged block.
    private(set) var content = JournalContent()
    /// Whether the bytes are not a journal.
    private(set) var isForeign = false
    /// The bytes of the incomplete block. `offset` is the number of bytes before them.
    private var pending: [UInt8] = []
    private var offset = 0
    private var isDamaged = false

    /// Decodes the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        guard !isDamaged else { return }
        pending += bytes
        var start = 0
        if offset == 0 {
            guard pending.starts(with: JournalCodec.magic) else {
                isForeign = !JournalCodec.magic.starts(with: pending)
                isDamaged = isForeign
                return
            }
            start = JournalCodec.magic.count
        }
        while let end = blockEnd(at: start) { start = end }
        pending.removeFirst(start)
        offset += start
        if isDamaged { pending = [] }
    }

    /// Decodes the block at `start` and returns its end. Returns `nil` if it is incomplete or
    /// damaged.
    private mutating func blockEnd(at start: Int) -> Int? {
        switch JournalCodec.block(in: pending, at: start) {
        case .incomplete:
            return nil
        case .damaged:
            isDamaged = true
            return nil
        case .whole(let end):
            var reader = JournalRecordReader(pending[(start + 8)..<end])
            guard JournalCodec.read(&reader, into: &content) else {
                isDamaged = true
                return nil
            }
            content.validLength = offset + end
            return end
        }
    }
}

/// The decoded content of a journal.
struct JournalContent: Sendable, Equatable {
    /// The run that the journal belongs to. `nil` if the header is missing or torn.
    var header: JournalHeader?
    /// The ordinals of the completed URLs.
    var done = OrdinalSet()
    /// The keys of the latest answered requests of an endless list.
    private(set) var answers: [UInt64] = []
    /// The number of all answered requests of an endless list.
    private(set) var answerCount = 0
    /// How many of the completed URLs failed.
    var failed = 0
    /// The length of the results that the journal covers, in bytes.
    var resultsLength: Int64 = 0
    /// The length of the journal's intact beginning, in bytes.
    var validLength = 0

    /// Adds answered requests, and forgets the oldest ones beyond the limit.
    mutating func addAnswers(_ keys: [UInt64]) {
        answers += keys
        answerCount += keys.count
        // Seldom, because the rest is moved.
        guard answers.count > 2 * AnsweredRequests.limit else { return }
        answers.removeFirst(answers.count - AnsweredRequests.limit)
    }
}
