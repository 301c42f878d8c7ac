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

    /// RFC 3986, 2.3 and 6.2.2.2.
    @Test("Of all escapes, exactly those of unreserved characters are decoded")
    func onlyUnreservedCharactersAreDecoded() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let unreserved = Set((letters + "0123456789-._~").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isUnreserved == unreserved.contains(byte), "\(byte)")
            let escape = (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            var written: [UInt8] = []
            PercentCoding.append(escapeOf: byte, to: &written)
            #expect(written == Array(escape.uppercased().utf8))
            let expected = unreserved.contains(byte) ? [byte] : written
            for text in [escape, escape.uppercased()] {
                for encodesOthers in [false, true] {
                    let found = PercentCoding.normalized(
                        Substring(text).utf8,
                        encodesOthers: encodesOthers
                    )
                    #expect(found == expected, "\(text)")
                }
            }
        }
    }

    /// RFC 3986, 6.2.2.1 and 6.2.2.2.
    @Test(
        "Escapes of unreserved characters are decoded, others are in upper case",
        arguments: [
            ("", "", ""), ("a%41%7e%2D%2e%5F", "aA~-._", "aA~-._"),
            ("%3a%2F%25", "%3A%2F%25", "%3A%2F%25"),
            ("%c3%bc", "%C3%BC", "%C3%BC"), ("ü", "ü", "%C3%BC"), ("%", "%", "%"),
            ("%4", "%4", "%4"),
            ("%zz%41", "%zzA", "%zzA"), ("%%41", "%A", "%A"), ("%2541", "%2541", "%2541"),
            ("%00%0a", "%00%0A", "%00%0A"), ("%é9", "%é9", "%%C3%A99"), ("a+b c", "a+b c", "a+b c"),
        ]
    )
    func escapesAreNormalised(text: String, kept: String, encoded: String) {
        let view = Substring(text).utf8
        #expect(PercentCoding.normalized(view) == Array(kept.utf8))
        #expect(PercentCoding.normalized(view, encodesOthers: true) == Array(encoded.utf8))
        // A second time changes nothing, except where the first has made a new escape.
        if !text.contains("%%") {
            #expect(PercentCoding.normalized(Substring(kept).utf8) == Array(kept.utf8))
        }
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
