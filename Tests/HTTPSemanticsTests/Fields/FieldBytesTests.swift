import HTTPSemantics
import Testing

/// Bytes and texts of field names and values.
@Suite struct FieldBytesTests {
    /// RFC 9110, 5.6.2.
    private static let tokenMarks = "!#$%&'*+-.^_`|~"

    @Test("A field name consists of the 77 bytes that RFC 9110 allows")
    func tokenBytesAreThoseOfTheRFC() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let allowed = Set((Self.tokenMarks + letters + letters.uppercased() + "0123456789").utf8)
        #expect(allowed.count == 77)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isTokenByte == allowed.contains(byte), "\(byte)")
        }
    }

    @Test("Only ASCII letters have a case, and only CR and LF end a line")
    func onlyASCIILettersHaveACase() {
        for byte in UInt8.min...UInt8.max {
            let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            #expect(byte.lowercasedASCII == (isCapital ? byte + 32 : byte), "\(byte)")
            #expect(byte.isASCIILetter == (isSmall || isCapital), "\(byte)")
            #expect(byte.isASCIIDigit == (0x30...0x39).contains(byte), "\(byte)")
            #expect(byte.isLineEnd == [10, 13].contains(byte), "\(byte)")
        }
    }

    @Test("Hexadecimal digits have values in both cases, and no other byte has one")
    func hexadecimalDigitsHaveValues() {
        var count = 0
        for byte in UInt8.min...UInt8.max {
            let digit = byte < 128 ? Int(String(UnicodeScalar(byte)), radix: 16) : nil
            #expect(byte.hexadecimalValue.map { Int($0) } == digit, "\(byte)")
            count += digit == nil ? 0 : 1
        }
        #expect(count == 22)
    }

    @Test(
        "Spaces and tabs around a field value are removed, and other white space is kept",
        arguments: [
            ("", ""), (" ", ""), ("\t \t", ""), ("a", "a"), (" a", "a"), ("a\t", "a"),
            (" \ta b\t ", "a b"), ("\u{a0}a ", "\u{a0}a"), ("\u{b}a\u{c}", "\u{b}a\u{c}"),
            (" é ", "é"), ("\r\n a", "\r\n a"),
        ]
    )
    func spacesAroundAValueAreRemoved(text: String, expected: String) {
        #expect(text.trimmingFieldWhitespace == expected)
        #expect("x\(text)y".dropFirst().dropLast().trimmingFieldWhitespace == expected)
    }

    @Test(
        "Names are compared without the case of ASCII letters, and exactly otherwise",
        arguments: [
            ("", "", true), ("ETag", "etag", true), ("X-A", "x-a", true), ("a", "b", false),
            ("a", "aa", false), ("a", "", false), ("é", "É", false), ("é", "é", true),
            ("[", "{", false), ("@", "`", false), ("K", "\u{212a}", false),
            // The same character, composed of other code points.
            ("\u{e9}", "e\u{301}", false), ("a\0", "A\0", true),
        ]
    )
    func namesAreComparedWithoutCase(one: String, other: String, isSame: Bool) {
        #expect(one.equalsIgnoringASCIICase(other) == isSame)
        #expect(other.equalsIgnoringASCIICase(one) == isSame)
    }

    @Test(
        "Every word of a name is capitalized as Foundation does it",
        arguments: [
            ("", ""), ("x-api-KEY", "X-Api-Key"), ("ETag", "Etag"), ("etag", "Etag"),
            ("WWW-Authenticate", "Www-Authenticate"), ("content-md5", "Content-Md5"),
            ("Content-Type", "Content-Type"), ("p3p", "P3P"), ("x_y.z~A", "X_Y.Z~A"),
            ("o'REILLY", "O'reilly"), ("a^B`C", "A^b`c"), ("'a", "'A"), ("-", "-"), ("éA", "éa"),
            ("é-A", "é-A"), ("9A8b", "9A8B"),
        ]
    )
    func everyWordOfANameIsCapitalized(name: String, expected: String) {
        #expect(name.capitalizedFieldName == expected)
        #expect(expected.capitalizedFieldName == expected)
    }

    @Test(
        "A name of any length is capitalized",
        arguments: [1, 63, 64, 65, 1000]
    )
    func nameOfAnyLengthIsCapitalized(length: Int) {
        let name = String(repeating: "a", count: length)
        #expect(name.capitalizedFieldName == "A" + name.dropFirst())
        // Its words end beyond what is kept without memory of its own.
        let words = String(repeating: "ab-", count: length) + "É"
        #expect(words.capitalizedFieldName == String(repeating: "Ab-", count: length) + "É")
    }
}
