import HTTPSemantics
import Testing

/// Percent-encoding, and parameter values that use it.
@Suite struct PercentCodingTests {
    @Test("Every byte is decoded in both cases of its digits")
    func everyByteIsDecoded() {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16)
            let text = "a%" + (digits.count == 1 ? "0" + digits : digits) + "%"
            #expect(PercentCoding.decode("\(text)41".utf8) == [0x61, byte, 0x41])
            #expect(PercentCoding.decode("\(text.uppercased())41".utf8) == [0x41, byte, 0x41])
        }
    }

    @Test("Unreserved and other bytes stand for themselves", arguments: ["", "a+b", "%25", "é\0 "])
    func otherBytesStandForThemselves(text: String) {
        let expected = text == "%25" ? "%" : text
        #expect(PercentCoding.decode(text.utf8) == Array(expected.utf8))
    }

    @Test(
        "An incomplete or invalid encoding is nil",
        arguments: ["%", "a%", "%4", "a%4", "%4g", "%g4", "%%41", "% 41", "%-1", "%+1", "%é"]
    )
    func incompleteEncodingIsNil(text: String) {
        #expect(PercentCoding.decode(text.utf8) == nil)
    }

    /// The examples of RFC 8187, 3.2.3, and RFC 6266, 5.
    @Test(
        "A value is decoded by its charset",
        arguments: [
            ("iso-8859-1'en'%A3%20rates", "£ rates"),
            ("UTF-8''%c2%a3%20and%20%e2%82%ac%20rates", "£ and € rates"),
            ("UTF-8'en'Economy", "Economy"),
            ("utf-8''%e2%82%ac%20exchange%20rates", "€ exchange rates"),
            ("ISO-8859-1''%FF%00", "ÿ\0"), ("UTF-8''", ""), ("uTf-8''it's", "it's"),
        ]
    )
    func valueIsDecodedByItsCharset(text: String, expected: String) {
        #expect(ExtendedValue.decode(text) == expected)
    }

    @Test(
        "A malformed value, or one of another charset, is nil",
        arguments: [
            "", "'", "''", "plain", "UTF-8'plain", "''plain", "US-ASCII''plain", "UTF-16''%00a",
            "UTF-8''%", "UTF-8''%C3", "UTF-8''%ff", "UTF-8''%ED%A0%80", "utf8''x", " UTF-8''x",
        ]
    )
    func malformedValueIsNil(text: String) {
        #expect(ExtendedValue.decode(text) == nil)
    }
}
