import Testing

@testable import BatchFetch

/// The blocks of a tar file that describe its members.
@Suite struct TarHeaderTests {
    private static let largest: Int64 = 0o777_7777_7777

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private func octal(_ bytes: ArraySlice<UInt8>) -> Int64? { Int64(text(bytes), radix: 8) }

    @Test func checksumCountsItsOwnFieldAsSpaces() throws {
        let header = TarHeader.bytes(name: "000000017.jpg", size: 700_001, seconds: 1_700_000_000)
        try #require(header.count == 512)
        var blank = header
        blank.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = blank.reduce(0) { $0 + Int64($1) }
        #expect(octal(header[148..<154]) == sum)
        #expect(Array(header[154..<156]) == [0, 0x20])
    }

    @Test func headerNamesAFileThatItsOwnerMayWrite() throws {
        let header = TarHeader.bytes(name: "000000017.jpg", size: 700_001, seconds: 1_700_000_000)
        #expect(text(header[..<100]) == "000000017.jpg")
        #expect(octal(header[100..<108]) == 0o644)
        #expect(octal(header[108..<116]) == 0 && octal(header[116..<124]) == 0)
        #expect(octal(header[124..<136]) == 700_001)
        #expect(octal(header[136..<148]) == 1_700_000_000)
        #expect(header[156] == UInt8(ascii: "0"))
        #expect(Array(header[257..<265]) == Array("ustar\0".utf8) + Array("00".utf8))
    }

    @Test func nameOfAHundredBytesIsComplete() {
        let name = String(repeating: "n", count: 100)
        let header = TarHeader.bytes(name: name, size: 1, seconds: 0)
        #expect(header.count == 512)
        #expect(Array(header[..<100]) == Array(name.utf8))
        #expect(octal(header[100..<108]) == 0o644)
    }

    @Test(arguments: [(Int64(-1), Int64(0)), (0, 0), (largest, largest), (.max, largest)])
    func timeOutsideTheFieldsRangeIsClamped(seconds: Int64, expected: Int64) {
        let header = TarHeader.bytes(name: "x", size: 0, seconds: seconds)
        #expect(header.count == 512)
        #expect(octal(header[136..<148]) == expected)
    }

    @Test func onlyASizeBeyondTheFieldNeedsAPaxHeader() throws {
        let fitting = TarHeader.bytes(name: "x", size: Self.largest, seconds: 0)
        #expect(fitting.count == 512 && octal(fitting[124..<136]) == Self.largest)
        let header = TarHeader.bytes(name: "x", size: Self.largest + 1, seconds: 0)
        try #require(header.count == 3 * 512)
        let length = try #require(octal(header[124..<136]))
        let record = header[512..<(512 + Int(length))]
        #expect(String(decoding: record, as: UTF8.self) == "19 size=8589934592\n")
        #expect(record.count == 19)
        #expect(header[(512 + Int(length))..<1024].allSatisfy { $0 == 0 })
        // The file's own header has the same name.
        #expect(text(header[1024..<1124]) == "x")
    }

    @Test(arguments: [(Int64(0), 0), (1, 511), (511, 1), (512, 0), (513, 511), (1 << 40, 0)])
    func paddingFillsTheLastBlock(count: Int64, expected: Int) {
        let padding = TarHeader.padding(after: count)
        #expect(padding.count == expected && padding.allSatisfy { $0 == 0 })
    }
}
