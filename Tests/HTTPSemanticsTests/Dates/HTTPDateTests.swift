internal import HTTPSemantics
internal import Testing

struct HTTPDateTests {
    /// The first second of 2026.
    private let reference: Int64 = 1_767_225_600

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
        ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777),
        (" Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777),
        // The weekday needn't match the date.
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Tue, 19 Jan 2038 14:14:08 GMT", 2_147_523_248),
        // Two-digit years are at most 50 years after 2026.
        ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
        ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ])
    func datesAreParsedInEachFormat(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(from: text, near: reference) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "foo", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
        "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Nop 1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94",
        "Sun, 06 Nov 1994 08:49:37 GMT, x", "Sun, 06 Nov 199٤ 08:49:37 GMT", "\u{0}",
    ])
    func invalidDateIsNil(text: String) {
        #expect(HTTPDate.seconds(from: text, near: reference) == nil)
    }

    @Test func dateRoundTrips() {
        #expect(HTTPDate.text(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        // Every 113 days and 7,919 seconds, across all leap year rules.
        for seconds in stride(from: -62_167_219_200, to: 253_402_300_799, by: 113 * 86_400 + 7919) {
            let text = HTTPDate.text(seconds: Int64(seconds))
            guard HTTPDate.seconds(from: text, near: reference) == Int64(seconds) else {
                Issue.record("\(seconds) is written \(text)")
                return
            }
        }
    }

    @Test func extremeTimesDoNotTrap() {
        for seconds in [Int64.max, .min, 0, 100_000_000_000_000_000] {
            #expect(!HTTPDate.text(seconds: seconds).isEmpty)
            #expect(HTTPDate.seconds(from: "Sun Nov  6 08:49:37 1994", near: seconds) != nil)
            _ = HTTPDate.seconds(from: "Sunday, 06-Nov-94 08:49:37 GMT", near: seconds)
        }
    }
}
