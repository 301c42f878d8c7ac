import BatchFleet
import Testing

@Suite struct PostgresValueTests {
    @Test("Texts are PostgreSQL's binary array, each with its length")
    func textsAreBinary() {
        let empty = encoded(.texts([]))
        #expect(empty.format == .binary)
        #expect(empty.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25])
        let texts = encoded(.texts(["a\"\\", nil, "", "ü"]))
        #expect(texts.format == .binary)
        #expect(
            texts.bytes == [
                0, 0, 0, 1,  // one dimension
                0, 0, 0, 1,  // with NULL
                0, 0, 0, 25,  // the type text
                0, 0, 0, 4, 0, 0, 0, 1,  // four elements from index 1
                0, 0, 0, 3, 0x61, 0x22, 0x5C,
                0xFF, 0xFF, 0xFF, 0xFF,
                0, 0, 0, 0,
                0, 0, 0, 2, 0xC3, 0xBC,
            ]
        )
    }

    @Test("Elements of other types are in quotation marks")
    func literalsAreQuoted() {
        #expect(text(.literals([])) == "{}")
        #expect(
            text(.literals(["2026-01-02 03:04:05+00", #"say "\n""#]))
                == #"{"2026-01-02 03:04:05+00","say \"\\n\""}"#
        )
    }

    @Test("The byte 0, which PostgreSQL refuses, becomes the replacement character")
    func zeroIsReplaced() {
        #expect(text(.text("a\0b")) == "a\u{FFFD}b")
        #expect(text(.text("a\0\u{301}b")) == "a\u{FFFD}\u{301}b")
        #expect(text(.literals(["a\0b"])) == "{\"a\u{FFFD}b\"}")
        let texts = encoded(.texts(["\0"])).bytes
        #expect(texts.suffix(7) == [0, 0, 0, 3, 0xEF, 0xBF, 0xBD])
    }

    @Test("Numbers that aren't finite have PostgreSQL's names")
    func numbersAreNamed() {
        let numbers = PostgresValue.reals([1.5, .infinity, -.infinity, .nan])
        #expect(text(numbers) == "{1.5,Infinity,-Infinity,NaN}")
        #expect(text(.integers([1, -2])) == "{1,-2}")
        #expect(text(.integer(-7)) == "-7")
    }

    @Test("NULL has no bytes and no format")
    func nullIsEmpty() {
        let null = encoded(.null)
        #expect(null.format == nil)
        #expect(null.bytes.isEmpty)
    }

    private func encoded(
        _ value: PostgresValue
    ) -> (format: PostgresValue.Format?, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        let format = value.encode(into: &bytes)
        return (format, bytes)
    }

    /// The parameter, if it is sent as text.
    private func text(_ value: PostgresValue) -> String? {
        let (format, bytes) = encoded(value)
        return format == .text ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
