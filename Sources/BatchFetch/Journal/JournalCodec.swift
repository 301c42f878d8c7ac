/// How a journal is written: eight bytes that say what it is, then blocks. A block is the length of
/// what it holds and a checksum of that, 32 bits each with the lowest byte first, and the record
/// itself. Numbers in records take seven bits a byte, the lowest first. Pure.
///
/// The last two of the eight bytes are the version: 02 knows how the list was read, 01 didn't.
enum JournalCodec {
    static let magic = Array("BFJRNL02".utf8)
    /// A block that claims to be longer is damaged.
    static let maximumLength = 64 << 20

    private enum Kind: UInt8 {
        case header = 1
        case done = 2
    }

    // MARK: Writing

    static func block(_ header: JournalHeader) -> [UInt8] {
        var record: [UInt8] = [Kind.header.rawValue]
        append(header.input.path, to: &record)
        append(UInt64(clamping: header.input.size), to: &record)
        append(UInt64(bitPattern: header.input.modified), to: &record)
        append(header.input.hash, to: &record)
        append(header.results, to: &record)
        append(header.output, to: &record)
        let reading = header.reading
        for hash in [reading.format, reading.columns, reading.base, reading.patterns] {
            append(hash, to: &record)
        }
        return block(record)
    }

    /// The ordinals may come in any order.
    static func block(_ done: JournalEntry) -> [UInt8] {
        var record: [UInt8] = [Kind.done.rawValue]
        append(UInt64(clamping: done.resultsLength), to: &record)
        append(UInt64(clamping: done.failed), to: &record)
        var end = 0
        for range in ranges(done.ordinals) {
            append(UInt64(range.lowerBound - end), to: &record)
            append(UInt64(range.count), to: &record)
            end = range.upperBound
        }
        return block(record)
    }

    private static func ranges(_ ordinals: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for ordinal in ordinals.sorted() where ordinal >= 0 {
            if let last = ranges.last, ordinal <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, ordinal + 1)
            } else {
                ranges.append(ordinal..<ordinal + 1)
            }
        }
        return ranges
    }

    private static func block(_ record: [UInt8]) -> [UInt8] {
        let checksum = CRC32.checksum(record)
        return bytes(UInt32(record.count)) + bytes(checksum) + record
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func append(_ number: UInt64, to record: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            record.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        record.append(UInt8(rest))
    }

    private static func append(_ text: String, to record: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &record)
        record += text.utf8
    }

    // MARK: Reading

    /// The version of a journal that is of another one than is written here: its two digits.
    static func foreignVersion(_ bytes: [UInt8]) -> String? {
        let digits = bytes.prefix(magic.count).dropFirst(magic.count - 2)
        guard bytes.starts(with: magic.dropLast(2)), digits.count == 2,
            digits.allSatisfy({ (0x30...0x39).contains($0) }), !bytes.starts(with: magic)
        else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// What a journal says, up to the first block that is torn or damaged; nil if the bytes are no
    /// journal's. One that was torn before it said anything has no header.
    static func read(_ bytes: [UInt8]) -> JournalContent? {
        var parser = JournalParser()
        parser.read(bytes)
        return parser.isForeign ? nil : parser.content
    }

    /// What is found where a block should begin.
    enum Block {
        /// Its record ends there.
        case whole(end: Int)
        /// More bytes have to come.
        case incomplete
        case damaged
    }

    static func block(in bytes: [UInt8], at start: Int) -> Block {
        guard bytes.count - start > 8 else { return .incomplete }
        let length = Int(number(bytes[start..<start + 4]))
        guard (1...maximumLength).contains(length) else { return .damaged }
        guard bytes.count - start - 8 >= length else { return .incomplete }
        let checksum = number(bytes[start + 4..<start + 8])
        let record = bytes[start + 8..<start + 8 + length]
        return CRC32.checksum(record) == checksum ? .whole(end: start + 8 + length) : .damaged
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads a record; false for one that can't be.
    static func read(
        _ reader: inout JournalRecordReader,
        into content: inout JournalContent
    ) -> Bool {
        switch reader.byte().flatMap(Kind.init) {
        case .header where content.header == nil:
            guard let header = header(&reader) else { return false }
            content.header = header
            return true
        case .done where content.header != nil:
            return readDone(&reader, into: &content)
        default:
            return false
        }
    }

    private static func header(_ reader: inout JournalRecordReader) -> JournalHeader? {
        guard let path = reader.text(), let size = reader.number(), let modified = reader.number(),
            let hash = reader.number(), let results = reader.text(), let output = reader.text(),
            let format = reader.number(), let columns = reader.number(),
            let base = reader.number(), let patterns = reader.number()
        else { return nil }
        let input = InputIdentity(
            path: path,
            size: Int64(clamping: size),
            modified: Int64(bitPattern: modified),
            hash: hash
        )
        var reading = ListReading()
        reading.format = format
        reading.columns = columns
        reading.base = base
        reading.patterns = patterns
        return JournalHeader(input: input, reading: reading, results: results, output: output)
    }

    private static func readDone(
        _ reader: inout JournalRecordReader,
        into content: inout JournalContent
    ) -> Bool {
        guard let length = reader.number(), let failed = reader.number() else { return false }
        var ranges: [Range<Int>] = []
        var end = 0
        while !reader.isAtEnd {
            guard let gap = reader.number().flatMap({ Int(exactly: $0) }),
                let count = reader.number().flatMap({ Int(exactly: $0) }),
                gap < 1 << 48, count < 1 << 32
            else { return false }
            ranges.append(end + gap..<end + gap + count)
            end += gap + count
        }
        for range in ranges { content.done.insert(range) }
        content.resultsLength = Int64(clamping: length)
        content.failed += Int(clamping: failed)
        return true
    }
}
