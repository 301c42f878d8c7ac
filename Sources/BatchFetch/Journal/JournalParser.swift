/// Reads a journal that comes piece by piece, keeping no more of it than a block. Pure.
struct JournalParser: Sendable {
    /// What it says, up to the first block that is torn or damaged.
    private(set) var content = JournalContent()
    /// Whether the bytes are no journal's.
    private(set) var isForeign = false
    /// The bytes that belong to no whole block yet, and how many came before them.
    private var pending: [UInt8] = []
    private var offset = 0
    private var isDamaged = false

    /// Takes the next bytes.
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

    /// Reads the block at `start`; nil where there is none in one piece.
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
