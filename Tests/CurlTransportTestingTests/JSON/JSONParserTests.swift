internal import CurlTransport
internal import Testing

@testable internal import CurlTransportTesting

/// The JSON of recordings.
@Suite struct JSONParserTests {
    @Test(
        "A value is written as it was read",
        arguments: [
            "null", "true", "[]", "{}", #"{"b":1,"a":[1.50,-2e10,0]}"#, #""a\"\\\n\t\u0001""#,
            #""ä€😀""#, #"{"a":{"a":[[[null]]]}}"#, #""\u2028""#,
        ]
    )
    func valueIsWrittenAsRead(_ text: String) throws {
        #expect("\(try JSONParser.parse(Array(text.utf8)))" == text)
    }

    @Test("Escapes and space are understood")
    func escapesAreUnderstood() throws {
        let text = #" [ "\u00e4\/\b\f\r" , "\uD83D\uDE00" ] "#
        let value = try JSONParser.parse(Array(text.utf8))
        #expect(value == .array([.string("ä/\u{8}\u{C}\r"), .string("😀")]))
    }

    @Test(
        "A malformed text is refused with a position",
        arguments: [
            "", "nul", "01", "1.", "1e", "-", "[1", "[1 2]", "{1:2}", #"{"a"}"#, #"{"a":}"#, "\"",
            "\"\n\"", #""\x""#, #""\u12""#, #""\uD800""#, #""\uD800\u0041""#, "1 2", "[1,]", "tru",
        ]
    )
    func malformedTextIsRefused(_ text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test("Nesting has a limit, and strings must be UTF-8")
    func hostileTextIsRefused() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let failure = #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(deep) }
        #expect(failure?.position == JSONParser.maximumDepth)
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse([34, 0xFF, 34]) }
    }

    @Test("Base64 gives the bytes back, and refuses other text")
    func base64GivesBytesBack() {
        let vectors = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg=="]
        for (text, encoded) in vectors { #expect(Base64.encode(Array(text.utf8)) == encoded) }
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in ["Zg", "Zg=", "====", "Z===", "Zm9v!m9v"] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }
}
