import Testing

@testable import BatchFetch

/// The field that says which part a response has.
@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-499/1234", 0 as Int64, 500 as Int64, 1234 as Int64?), ("bytes 5-5/*", 5, 6, nil),
        ("Bytes  734-1233/1234", 734, 1234, 1234),
    ])
    func aPartIsRead(text: String, start: Int64, end: Int64, length: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.range == start..<end)
        #expect(range.length == length)
    }

    @Test(arguments: [
        "", "bytes", "bytes */1234", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10", "bytes 5-/10",
        "bytes 0-4", "lines 0-4/10", "bytes 0-4/10/2", "bytes +0-4/10", "bytes 0x0-4/10",
        "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0 - 4/10",
    ])
    func whatIsNoPartIsNone(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
