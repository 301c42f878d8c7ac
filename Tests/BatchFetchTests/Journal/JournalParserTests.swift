import Testing

@testable import BatchFetch

/// Records that no run writes in this order, and files that only begin like a journal.
@Suite struct JournalParserTests {
    private static let header = JournalCodec.block(
        JournalHeader(
            input: InputIdentity(path: "list", size: 9, modified: 1, hash: 2),
            results: "results",
            output: ""
        )
    )

    private static func done(_ ordinals: Int...) -> [UInt8] {
        let length = Int64(10 * (ordinals.max() ?? 0))
        return JournalCodec.block(
            JournalEntry(ordinals: ordinals, failed: 1, resultsLength: length)
        )
    }

    /// A block with an intact checksum, whatever its record contains.
    private static func block(_ record: [UInt8]) -> [UInt8] {
        [UInt32(record.count), CRC32.checksum(record.span)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        } + record
    }

    private func parse(_ blocks: [UInt8]...) -> JournalParser {
        var parser = JournalParser()
        parser.read(JournalCodec.magic + blocks.flatMap { $0 })
        return parser
    }

    @Test func entriesAccumulate() {
        let content = parse(Self.header, Self.done(1, 2), Self.done(5), Self.done(2, 3)).content
        #expect(content.done.count == 4)
        #expect([1, 2, 3, 5].allSatisfy { content.done.contains($0) })
        #expect(content.failed == 3)
        #expect(content.resultsLength == 30, "the last entry decides")
    }

    @Test(arguments: [
        block([]), block([1]), block([2, 0x80]), block([3, 0]), block([0]),
        block([2, 0, 0, 1]),
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0],
    ])
    func invalidRecordEndsTheIntactBeginning(block: [UInt8]) {
        let intact = Self.header + Self.done(1)
        let content = parse(intact, block, Self.done(2)).content
        #expect(content.validLength == JournalCodec.magic.count + intact.count)
        #expect(content.done.count == 1)
        #expect(content.header != nil)
    }

    @Test func entryWithoutAHeaderIsDamage() {
        let content = parse(Self.done(1), Self.header).content
        #expect(content == JournalContent())
    }

    @Test func bytesAfterDamageAreIgnored() {
        var parser = parse(Self.header, Self.block([9]))
        let before = parser.content
        parser.read(Self.done(1))
        #expect(parser.content == before)
        #expect(!parser.isForeign)
    }

    @Test func foreignFileIsRecognisedAtItsFirstOtherByte() {
        var parser = JournalParser()
        for byte in JournalCodec.magic.dropLast() {
            parser.read([byte])
            #expect(!parser.isForeign)
        }
        parser.read(Array("x".utf8))
        #expect(parser.isForeign)
        parser.read(Self.header)
        #expect(parser.isForeign && parser.content == JournalContent())
    }

    @Test func validLengthGrowsWithEachCompleteBlock() {
        var parser = JournalParser()
        parser.read(JournalCodec.magic + Self.header.dropLast())
        #expect(parser.content.header == nil && parser.content.validLength == 0)
        parser.read(Array(Self.header.suffix(1)) + Self.done(4).dropLast())
        let headerEnd = JournalCodec.magic.count + Self.header.count
        #expect(parser.content.validLength == headerEnd && parser.content.done.isEmpty)
        parser.read(Array(Self.done(4).suffix(1)))
        #expect(parser.content.validLength == headerEnd + Self.done(4).count)
        #expect(parser.content.done.contains(4))
    }

    @Test("A header that follows entries replaces the first one, and keeps the entries")
    func laterHeaderReplacesTheFirst() {
        var input = InputIdentity(path: "list", size: 20, modified: 5, hash: 6)
        input.lists = [
            ListIdentity(path: "list", size: 20, modified: 5, hash: 6, checksum: .max)
        ]
        let later = JournalHeader(input: input, results: "results", output: "")
        let content = parse(Self.header, Self.done(1), JournalCodec.block(later), Self.done(2))
            .content
        #expect(content.header == later)
        #expect(content.done.count == 2)
    }
}
