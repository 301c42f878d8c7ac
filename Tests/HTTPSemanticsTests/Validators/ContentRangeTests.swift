internal import HTTPSemantics
import Testing

/// The `Content-Range` field of partial responses.
@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-499/1234", 0 as Int64, 500 as Int64, 1234 as Int64?), ("bytes 5-5/*", 5, 6, nil),
        ("Bytes  734-1233/1234", 734, 1234, 1234),
    ])
    func contentRangeIsParsed(text: String, start: Int64, end: Int64, length: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.range == start..<end)
        #expect(range.length == length)
    }

    @Test(arguments: [
        "", "bytes", "bytes */1234", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10", "bytes 5-/10",
        "bytes 0-4", "lines 0-4/10", "bytes 0-4/10/2", "bytes +0-4/10", "bytes 0x0-4/10",
        "bytes 323-9223372036854775807/0", "bytes 0-4/99999999999999999999", "bytes 0-0/0",
        "bytes 0-4/-1", "bytes 0-4/", "bytes 0-4/10, bytes 0-4/10",
        "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0 - 4/10",
    ])
    func invalidContentRangeIsNil(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func twoContentRangesAreNil() {
        #expect(ContentRange(lines: ["bytes 0-4/10"]) != nil)
        #expect(ContentRange(lines: []) == nil)
        #expect(ContentRange(lines: ["bytes 0-4/10", "bytes 0-4/10"]) == nil)
    }

    @Test func unsatisfiedRangeHasLength() {
        #expect(ContentRange.unsatisfiedLength("bytes */1234") == 1234)
        for text in ["bytes 0-4/10", "bytes */*", "bytes */-1", "bytes */99999999999999999999"] {
            #expect(ContentRange.unsatisfiedLength(text) == nil)
        }
    }
}
