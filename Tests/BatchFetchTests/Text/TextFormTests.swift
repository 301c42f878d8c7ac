import Testing

@testable import BatchFetch

/// Texts of times, escapes and file extensions.
@Suite struct TextFormTests {
    @Test(
        "A written time is read back",
        arguments: [
            0, 1, 999_999, 951_782_400_000_000, 951_868_799_999_999, 1_795_622_400_123_456,
            4_107_542_400_000_000, -1, -86_400_000_000, 253_402_300_799_999_999,
        ] as [Int64]
    )
    func writtenTimeIsReadBack(microseconds: Int64) {
        let text = Timestamp.text(microseconds: microseconds)
        #expect(text.utf8.count == 27)
        #expect(Timestamp.microseconds(of: text) == microseconds, "\(text)")
    }

    @Test(
        "Another text is no time",
        arguments: [
            "", "2026-11-22T16:04:12Z", "2026-11-22T16:04:12.12345Z",
            "2026-11-22T16:04:12.1234567Z",
            "2026-11-22 16:04:12.123456Z", "2026-11-22t16:04:12.123456Z",
            "2026-11-22T16:04:12.123456z", "2026-11-22T16:04:12.123456 ",
            "2026-00-22T16:04:12.123456Z", "2026-13-22T16:04:12.123456Z",
            "2026-11-00T16:04:12.123456Z", "2026-11-32T16:04:12.123456Z",
            "2026-11-22T24:04:12.123456Z", "2026-11-22T16:60:12.123456Z",
            "2026-11-22T16:04:61.123456Z", "-026-11-22T16:04:12.123456Z",
            "2026-11-22T16:04:12,123456Z", "٢026-11-22T16:04:12.12345Z",
        ]
    )
    func otherTextIsNoTime(text: String) {
        #expect(Timestamp.microseconds(of: text) == nil)
    }

    @Test("Extreme times are written without a trap")
    func extremeTimesAreWritten() {
        for seconds in [Int64.min / 1000, -62_167_219_201, 253_402_300_800, Int64.max / 1000] {
            #expect(Timestamp.text(seconds: seconds).hasSuffix("Z"))
        }
        #expect(Timestamp.text(seconds: 253_402_300_800) == "10000-01-01T00:00:00Z")
        #expect(Timestamp.text(seconds: -62_167_219_200) == "0000-01-01T00:00:00Z")
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
        #expect(PercentEncoding.normalized(view) == Array(kept.utf8))
        #expect(PercentEncoding.normalized(view, encodesOthers: true) == Array(encoded.utf8))
        // A second time changes nothing, except where the first has made a new escape.
        if !text.contains("%%") {
            #expect(PercentEncoding.normalized(Substring(kept).utf8) == Array(kept.utf8))
        }
    }

    @Test(
        "A content type has its extension, regardless of case and parameters",
        arguments: [
            ("text/html", "html"), ("Text/HTML; charset=utf-8", "html"), ("text/html;x", "html"),
            ("image/jpeg ", "jpg"), ("application/octet-stream", nil), ("", nil), ("html", nil),
            ("image/svg+xml", "svg"), (" text/html", nil),
        ] as [(String, String?)]
    )
    func contentTypeHasItsExtension(type: String, ending: String?) {
        #expect(FileExtension.ofType(type) == ending)
    }

    @Test(
        "A file name is split at its last dot, unless it begins with it",
        arguments: [
            ("a.b", "a", ".b"), ("a.b.c", "a.b", ".c"), ("a", "a", ""), (".a", ".a", ""),
            ("..a", ".", ".a"), ("a.", "a", "."), ("", "", ""), ("é.ü", "é", ".ü"),
        ]
    )
    func fileNameIsSplit(file: String, stem: String, ending: String) {
        let parts = FileExtension.split(file)
        #expect(parts.stem == stem && parts.ending == ending)
    }
}
