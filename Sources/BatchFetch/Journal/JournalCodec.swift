internal import HTTPSemantics

/// Encodes and decodes the journal format. Does no input or output.
///
/// A journal is eight magic bytes followed by blocks. A block is the length of its record and the
/// record's CRC-32, each 32 bits, little-endian, and then the record. Numbers in records are
/// LEB128: seven bits per byte, the lowest first.
///
/// The last two magic bytes are the format version. Version 02 records how the list was read; 01
/// didn't.
enum JournalCodec {
    static let magic = Array("BFJRNL02".utf8)
    /// A block with a greater length is damaged.
    static let maximumLength = 64 << 20
    /// A block with a greater ordinal is damaged.
    static let maximumOrdinal = 1 << 48

    private enum Kind: UInt8 {
        case header = 1
        case done = 2
        /// Answered requests of an endless list.
        case answered = 3
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
        append(UInt64(header.input.lists.count), to: &record)
        for list in header.input.lists {
            append(list.path, to: &record)
            append(UInt64(clamping: list.size), to: &record)
            append(UInt64(bitPattern: list.modified), to: &record)
            append(list.hash, to: &record)
            append(list.checksum ?? 0, to: &record)
        }
        return block(record)
    }

    /// The ordinals may be in any order.
    static func block(_ done: JournalEntry) -> [UInt8] {
        let kind = done.keys.isEmpty ? Kind.done : .answered
        var record: [UInt8] = [kind.rawValue]
        append(UInt64(clamping: done.resultsLength), to: &record)
        append(UInt64(clamping: done.failed), to: &record)
        guard done.keys.isEmpty else {
            for key in done.keys {
                for shift in stride(from: UInt64(0), to: 64, by: 8) {
                    record.append(UInt8(truncatingIfNeeded: key >> shift))
                }
            }
            return block(record)
        }
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
        let checksum = CRC32.checksum(record.span)
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

    /// Returns the two digits of a version other than the current.
    static func otherVersion(_ bytes: [UInt8]) -> String? {
        let digits = bytes.prefix(magic.count).dropFirst(magic.count - 2)
        guard bytes.starts(with: magic.dropLast(2)), digits.count == 2,
            digits.allSatisfy(\.isASCIIDigit), !bytes.starts(with: magic)
        else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Decodes a journal up to the first torn or damaged block.
    ///
    /// Returns `nil` if the bytes are not a journal. The content has no header if the file was torn
    /// before its header was complete.
    static func read(_ bytes: [UInt8]) -> JournalContent? {
        var parser = JournalParser()
        parser.read(bytes)
        return parser.isForeign ? nil : parser.content
    }

    /// The result of looking for a block.
    enum Block {
        /// A complete block, whose record ends at `end`.
        case whole(end: Int)
        /// The block needs more bytes.
        case incomplete
        case damaged
    }

    static func block(in bytes: [UInt8], at start: Int) -> Block {
        guard bytes.count - start > 8 else { return .incomplete }
        let length = Int(number(bytes[start..<start + 4]))
        guard (1...maximumLength).contains(length) else { return .damaged }
        guard bytes.count - start - 8 >= length else { return .incomplete }
        let checksum = number(bytes[start + 4..<start + 8])
        let end = start + 8 + length
        let record = bytes.span.extracting(start + 8..<end)
        return CRC32.checksum(record) == checksum ? .whole(end: end) : .damaged
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Decodes a record; false if it is invalid.
    static func read(
        _ reader: inout JournalRecordReader,
        into content: inout JournalContent
    ) -> Bool {
        switch reader.byte().flatMap(Kind.init) {
        case .header:
            // Another header follows where a later run found its list with more lines.
            guard let header = header(&reader) else { return false }
            content.header = header
            return true
        case .done where content.header != nil:
            return readDone(&reader, into: &content)
        case .answered where content.header?.isStream == true:
            return readAnswered(&reader, into: &content)
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
        var input = InputIdentity(
            path: path,
            size: Int64(clamping: size),
            modified: Int64(bitPattern: modified),
            hash: hash
        )
        var reading = InputFingerprint()
        reading.format = format
        reading.columns = columns
        reading.base = base
        reading.patterns = patterns
        guard let lists = lists(&reader) else { return nil }
        input.lists = lists
        return JournalHeader(input: input, reading: reading, results: results, output: output)
    }

    /// Reads the lists of a header. Revisions before them recorded none.
    private static func lists(_ reader: inout JournalRecordReader) -> [ListIdentity]? {
        if reader.isAtEnd { return [] }
        guard let count = reader.number() else { return nil }
        var lists: [ListIdentity] = []
        for _ in 0..<count {
            guard let path = reader.text(), let size = reader.number(),
                let modified = reader.number(), let hash = reader.number(),
                let checksum = reader.number()
            else { return nil }
            lists.append(
                ListIdentity(
                    path: path,
                    size: Int64(clamping: size),
                    modified: Int64(bitPattern: modified),
                    hash: hash,
                    checksum: checksum
                )
            )
        }
        return lists
    }

    private static func readAnswered(
        _ reader: inout JournalRecordReader,
        into content: inout JournalContent
    ) -> Bool {
        guard let length = reader.number(), let failed = reader.number() else { return false }
        var keys: [UInt64] = []
        while !reader.isAtEnd {
            var key: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                guard let byte = reader.byte() else { return false }
                key |= UInt64(byte) << shift
            }
            keys.append(key)
        }
        let sum = content.failed.addingReportingOverflow(Int(clamping: failed))
        guard !sum.overflow else { return false }
        content.failed = sum.partialValue
        content.addAnswers(keys)
        content.resultsLength = Int64(clamping: length)
        return true
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
                gap < maximumOrdinal, count < 1 << 32, end + gap + count <= maximumOrdinal
            else { return false }
            ranges.append(end + gap..<end + gap + count)
            end += gap + count
        }
        let sum = content.failed.addingReportingOverflow(Int(clamping: failed))
        guard !sum.overflow else { return false }
        content.failed = sum.partialValue
        for range in ranges { content.done.insert(range) }
        content.resultsLength = Int64(clamping: length)
        return true
    }
}

/// One record of a journal: URLs that were completed.
struct JournalEntry: Sendable, Hashable {
    /// The ordinals of the URLs, in any order.
    var ordinals: [Int]
    /// How many of those failed.
    var failed: Int
    /// The length of the results with these URLs' lines, in bytes.
    var resultsLength: Int64
    /// The keys of the requests instead of ordinals, for an endless list.
    var keys: [UInt64] = []

    /// The entry of no URLs.
    static let empty = JournalEntry(ordinals: [], failed: 0, resultsLength: 0)
}
