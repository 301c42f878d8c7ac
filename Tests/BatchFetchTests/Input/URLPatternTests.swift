import Testing

@testable import BatchFetch

@Suite struct URLPatternTests {
    @Test(arguments: [
        ("http://a/{1..3}", ["http://a/1", "http://a/2", "http://a/3"]),
        ("{08..10}", ["08", "09", "10"]),
        ("[008-10]", ["008", "009", "010"]),
        ("{3..1}", ["3", "2", "1"]),
        ("{1..9..4}", ["1", "5", "9"]),
        ("[1-8:4]x", ["1x", "5x"]),
        ("{a..c}{x,}", ["ax", "a", "bx", "b", "cx", "c"]),
        ("[c-a]", ["c", "b", "a"]),
        ("{1..2}/{1..2}", ["1/1", "1/2", "2/1", "2/2"]),
        ("http://[::1]/?a[]=1&b[x]", ["http://[::1]/?a[]=1&b[x]"]),
        (#"\{1..2\}\[1-2]"#, ["{1..2}[1-2]"]),
        ("http://[fe80::1-2]/[x-]", ["http://[fe80::1-2]/[x-]"]),
        ("plain", ["plain"]),
    ])
    func patternsAreExpanded(text: String, urls: [String]) throws {
        #expect(Array(try URLPattern(text)) == urls)
    }

    @Test(arguments: [
        ("{a,b{1,2}}", "nested braces"), ("{1..3", "has a { without a }"),
        ("{one}", "has {one}, which is not a range"),
        ("{1..x}", "which is not a range"), ("{1..9..0}", "which is not a range"),
        ("{1..99999999999999999999999}", "whose numbers are too large"),
        ("{}", "which is not a range"),
        ("[1-10:0]", "has [1-10:0], which is not a range: write [1-9]"),
        ("[Z-a]", "which is not a range"), ("[1-a]", "which is not a range"),
        ("[1-9:x]", "which is not a range"),
    ])
    func malformedPatternIsRejected(text: String, reason: String) {
        let failure = #expect(throws: BatchFailure.self) { try URLPattern(text) }
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test func hugePatternIsExpandedOneURLAtATime() throws {
        let pattern = try URLPattern(String(repeating: "{0..65535}", count: 3))
        var iterator = pattern.makeIterator()
        #expect(iterator.next() == "000")
        #expect(iterator.next() == "001")
    }

    @Test func patternReachesTheLargestNumber() throws {
        let last = "18446744073709551615"
        #expect(Array(try URLPattern("{18446744073709551614..\(last)}")).last == last)
        #expect(Array(try URLPattern("{\(last)..\(last)}")) == [last])
    }
}
