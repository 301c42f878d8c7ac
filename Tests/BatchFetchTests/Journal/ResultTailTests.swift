import Testing

@testable import BatchFetch

@Suite struct ResultTailTests {
    private let text = """
        {"ordinal":3,"url":"http://a/","ok":true}
        {"url":"http://a/\\"ordinal\\":9,","ok":false,"ordinal":12}
        {"ordinal":4,"url":"htt
        """

    @Test func completeLinesAreReadHoweverTheBytesAreSplit() {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var tail = ResultTail()
            tail.read(Array(bytes[..<cut]))
            tail.read(Array(bytes[cut...]))
            #expect(tail.entries.map(\.ordinal) == [3, 12])
            #expect(tail.entries.map(\.isFetched) == [true, false])
            #expect(!tail.hasInvalidLine)
            #expect(tail.wholeLength == bytes.lastIndex(of: 0x0A).map { Int64($0 + 1) })
        }
    }

    @Test func lineWithoutAnOrdinalIsNotAResult() {
        var tail = ResultTail()
        tail.read(Array("http://example.org/\n".utf8))
        #expect(tail.hasInvalidLine)
    }
}
