import Testing

@testable import BatchFetch

/// Numbers, texts and bytes of a record, also of a damaged one.
@Suite struct JournalRecordReaderTests {
    private func reader(_ bytes: [UInt8]) -> JournalRecordReader { JournalRecordReader(bytes[...]) }

    @Test(
        arguments: [
            ([0x00], 0), ([0x7F], 127), ([0x80, 0x01], 128), ([0xE5, 0x8E, 0x26], 624_485),
            ([0x80, 0x00], 0), ([UInt8](repeating: 0xFF, count: 9) + [0x01], UInt64.max),
        ] as [([UInt8], UInt64)]
    )
    func numbersAreReadSevenBitsAByte(bytes: [UInt8], number: UInt64) {
        var reader = reader(bytes)
        #expect(reader.number() == number)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [
        [], [0x80], [0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 10),
        [UInt8](repeating: 0x80, count: 11),
    ])
    func truncatedOrTooLongNumberIsInvalid(bytes: [UInt8]) {
        var reader = reader(bytes)
        #expect(reader.number() == nil)
    }

    @Test func valuesAreReadInOrder() {
        var reader = reader([1, 3] + "aé".utf8 + [0, 2, 0xFF, 0x00, 9])
        #expect(reader.byte() == 1)
        #expect(reader.text() == "aé")
        #expect(reader.text() == "")
        #expect(reader.data() == [0xFF, 0x00])
        #expect(!reader.isAtEnd)
        #expect(reader.number() == 9)
        #expect(reader.isAtEnd && reader.byte() == nil)
    }

    @Test func textThatIsNotUTF8IsInvalid() {
        var text = reader([2, 0xC3, 0x28])
        #expect(text.text() == nil)
        var data = reader([2, 0xC3, 0x28])
        #expect(data.data() == [0xC3, 0x28])
    }

    /// A damaged length must not be trusted: neither for reading nor for reserving memory.
    @Test(
        arguments: [
            [3, 0x61, 0x62], [0x7F], [], [UInt8](repeating: 0xFF, count: 9) + [0x01, 0x61],
        ] as [[UInt8]]
    )
    func lengthBeyondTheRecordIsInvalid(bytes: [UInt8]) {
        var text = reader(bytes)
        #expect(text.text() == nil)
        var data = reader(bytes)
        #expect(data.data() == nil)
    }
}
