import Testing

@testable import BatchFetch

/// Texts of times and file extensions.
@Suite struct TextFormTests {
    @Test(
        "A time that is written as text is parsed as the same time",
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
        "Text in another format isn't parsed as a time",
        arguments: [
            "", "2026-11-22T16:04:12Z", "2026-11-22T16:04:12.12345Z",
            "2026-11-22T16:04:12.1234567Z",
            "2026-11-22 16:04:12.123456Z", "2026-11-22t16:04:12.123456Z",
            "2026-11-22T16:04:12.123456z", "2026-11-22T16:04:12.123456 ",
            "2026-00-22T16:04:12.123456Z", "2026-13-22T16:04:12.123456Z",
            "2026-11-00T16:04:12.123456Z", "2026-11-32T16:04:12.123456Z",
            "2026-02-29T16:04:12.123456Z", "2026-04-31T16:04:12.123456Z",
            "2026-11-22T24:04:12.123456Z", "2026-11-22T16:60:12.123456Z",
            "2026-11-22T16:04:61.123456Z", "-026-11-22T16:04:12.123456Z",
            "2026-11-22T16:04:12,123456Z", "٢026-11-22T16:04:12.12345Z",
        ]
    )
    func otherTextIsNoTime(text: String) {
        #expect(Timestamp.microseconds(of: text) == nil)
    }

    @Test("Times beyond the years 0 to 9999 are written without a crash")
    func extremeTimesAreWritten() {
        for seconds in [Int64.min / 1000, -62_167_219_201, 253_402_300_800, Int64.max / 1000] {
            #expect(Timestamp.text(seconds: seconds).hasSuffix("Z"))
        }
        #expect(Timestamp.text(seconds: 253_402_300_800) == "10000-01-01T00:00:00Z")
        #expect(Timestamp.text(seconds: -62_167_219_200) == "0000-01-01T00:00:00Z")
    }

    @Test(
        "A content type gives the file extension, whatever its case and parameters",
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
