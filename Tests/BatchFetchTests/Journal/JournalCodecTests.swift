import TestSupport
import Testing

@testable import BatchFetch

@Suite struct JournalCodecTests {
    private let header = JournalHeader(
        input: InputIdentity(path: "urls", size: 12, modified: -5, hash: .max),
        reading: InputFingerprint(of: ["urls"], BatchInput.Options()),
        results: "results.jsonl",
        output: "pages"
    )

    @Test("The lists of a header are read back")
    func listsOfAHeaderAreReadBack() throws {
        var header = header
        header.input.lists = (Int64(0)..<3).map {
            ListIdentity(path: "l\($0)", size: $0, modified: -$0, hash: .max, checksum: UInt64($0))
        }
        let bytes = JournalCodec.magic + JournalCodec.block(header)
        #expect(try #require(JournalCodec.read(bytes)).header == header)
    }

    private func journal(_ entries: [JournalEntry]) -> [UInt8] {
        JournalCodec.magic + JournalCodec.block(header)
            + entries.flatMap { JournalCodec.block($0) }
    }

    @Test func writtenJournalIsReadBack() throws {
        let bytes = journal([
            JournalEntry(ordinals: [5, 3, 4, 1_000_000, 3], failed: 2, resultsLength: 400),
            JournalEntry(ordinals: [0, 7], failed: 0, resultsLength: 600),
            JournalEntry(ordinals: [], failed: 0, resultsLength: 600),
        ])
        let content = try #require(JournalCodec.read(bytes))
        #expect(content.header == header)
        #expect(content.done.count == 6)
        for ordinal in [0, 3, 4, 5, 7, 1_000_000] { #expect(content.done.contains(ordinal)) }
        #expect(content.failed == 2)
        #expect(content.resultsLength == 600)
        #expect(content.validLength == bytes.count)
    }

    /// Wherever a write was cut off, all entries before it are read, and nothing else.
    @Test func journalIsReadableWhereverItEnds() throws {
        let entries = (0..<5).map {
            JournalEntry(ordinals: [$0 * 10, $0 * 10 + 1], failed: 0, resultsLength: Int64($0))
        }
        let ends = (0...5).map { journal(Array(entries.prefix($0))).count }
        let bytes = journal(entries)
        for length in 0...bytes.count {
            let content = try #require(JournalCodec.read(Array(bytes.prefix(length))))
            let whole = ends.lastIndex { $0 <= length }
            #expect((content.header != nil) == (whole != nil))
            #expect(content.done.count == 2 * (whole ?? 0))
            #expect(content.validLength == whole.map { ends[$0] } ?? 0)
            let padded = Array(bytes.prefix(length)) + [UInt8](repeating: 0, count: 100)
            #expect(length < 8 || JournalCodec.read(padded)?.done.count == content.done.count)
        }
    }

    /// Complete or truncated, in pieces of any size.
    @Test(arguments: [1, 2, 7, 100])
    func journalIsReadInChunks(length: Int) throws {
        let bytes = journal(
            (0..<30).map {
                JournalEntry(ordinals: [$0, $0 * 1000], failed: 1, resultsLength: Int64($0))
            }
        )
        for end in [0, 3, 8, 9, 60, bytes.count - 1, bytes.count] {
            var parser = JournalParser()
            for start in stride(from: 0, to: end, by: length) {
                parser.read(Array(bytes[start..<min(start + length, end)]))
            }
            #expect(!parser.isForeign)
            #expect(parser.content == JournalCodec.read(Array(bytes[..<end])))
        }
    }

    @Test(arguments: 0..<200)
    func damagedByteLosesOnlyWhatFollows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let entries = (0..<20).map {
            JournalEntry(ordinals: [$0], failed: 0, resultsLength: Int64($0))
        }
        var bytes = journal(entries)
        let place = Int.random(in: 8..<bytes.count, using: &generator)
        bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
        let content = try #require(JournalCodec.read(bytes))
        #expect(content.validLength <= place)
        for ordinal in 0..<content.done.count { #expect(content.done.contains(ordinal)) }
        let next = journal(Array(entries.prefix(content.done.count + 1)))
        #expect(content.header == nil || next.count > place)
    }

    @Test("If a journal's counts overflow, only the entries before that are read")
    func journalIsDamagedWhereCountsOverflow() throws {
        let entry = JournalEntry(ordinals: [1], failed: .max, resultsLength: 5)
        let content = try #require(JournalCodec.read(journal([entry, entry])))
        #expect(content.failed == .max)
        #expect(content.validLength == journal([entry]).count)
    }

    @Test("If a journal's ordinals overflow, only the entries before that are read")
    func journalIsDamagedWhereOrdinalsOverflow() throws {
        // Skips 2⁴⁸ - 1 ordinals, then sets one: repeated 2¹⁵ times it exceeds an `Int`.
        let range: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 1]
        var record: [UInt8] = [2, 0, 0]
        for _ in 0..<33_000 { record += range }
        var block: [UInt8] = []
        for number in [UInt32(record.count), CRC32.checksum(record.span)] {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                block.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        block += record
        let content = try #require(JournalCodec.read(journal([]) + block))
        #expect(content.validLength == journal([]).count)
        #expect(content.done.isEmpty)
    }

    @Test func otherFileIsNotAJournal() {
        #expect(JournalCodec.read(Array("http://example.org/".utf8)) == nil)
        #expect(JournalCodec.read(Array("B0".utf8)) == nil)
        #expect(JournalCodec.read([]) == JournalContent())
    }

    @Test func journalOfAnotherVersionIsRecognised() {
        #expect(JournalCodec.otherVersion(Array("BFJRNL01rest".utf8)) == "01")
        #expect(JournalCodec.otherVersion(Array("BFJRNL99".utf8)) == "99")
        for text in ["BFJRNL02", "BFJRNL0", "BFJRNLxx", ""] {
            #expect(JournalCodec.otherVersion(Array(text.utf8)) == nil)
        }
    }

    @Test func inputFingerprintIdentifiesFormatAndColumns() {
        func reading(_ name: String, _ change: (inout BatchInput.Options) -> Void)
            -> InputFingerprint
        {
            var options = BatchInput.Options()
            change(&options)
            return InputFingerprint(of: [name], options)
        }
        #expect(reading("a.csv") { _ in } == reading("a.csv") { $0.format = .csv })
        #expect(reading("a.csv") { _ in } != reading("a.tsv") { _ in })
        // Moving a name from one column to the next makes a difference.
        #expect(reading("a") { $0.columns.tag = "x" } != reading("a") { $0.columns.name = "x" })
        #expect(reading("a") { $0.isStrict = true } == reading("a") { _ in })
        // The hash is the same in every process and every version.
        #expect(reading("urls") { _ in }.format == StableHash.hash([1] + "lines".utf8 + [0]))
    }

    @Test func changedInputOrOutputIsNamedInTheObjection() {
        var other = header
        #expect(header.objection(to: other) == nil)
        other.output = ""
        #expect(header.objection(to: other)?.contains("output") == true)
        other.results = "x"
        #expect(header.objection(to: other)?.contains("results") == true)
        other.reading.base = 1
        #expect(header.objection(to: other)?.contains("base URL") == true)
        other.input.modified = 0
        #expect(header.objection(to: other)?.contains("modified since") == true)
        other.input.hash = 1
        #expect(header.objection(to: other)?.contains("content") == true)
        other.input.size = 1
        #expect(header.objection(to: other)?.contains("12 bytes") == true)
        other.input.path = "y"
        #expect(header.objection(to: other)?.contains("“y”") == true)
    }
}
