import Foundation
import Testing

@testable import CurlURLSession

struct HTTPDateTests {
    private let reference = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
        ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777),
        (" Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777),
        // What day of the week it was is of no interest.
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Tue, 19 Jan 2038 14:14:08 GMT", 2_147_523_248),
        // 50 years from 2026 at most.
        ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
        ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ])
    func aDateIsReadInEachForm(text: String, seconds: Double) {
        #expect(HTTPDate.date(from: text, near: reference)?.timeIntervalSince1970 == seconds)
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
    func whatIsInNoFormIsNoDate(text: String) {
        #expect(HTTPDate.date(from: text, near: reference) == nil)
    }

    @Test func aDateIsWrittenAndReadAgain() {
        #expect(
            HTTPDate.text(from: Date(timeIntervalSince1970: 784_111_777.9))
                == "Sun, 06 Nov 1994 08:49:37 GMT"
        )
        // Every 113 days and some seconds, over the rules of leap years.
        for seconds in stride(from: -62_167_219_200, to: 253_402_300_799, by: 113 * 86_400 + 7919) {
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = HTTPDate.text(from: date)
            guard HTTPDate.date(from: text, near: reference) == date else {
                Issue.record("\(seconds) is written \(text)")
                return
            }
        }
    }

    @Test func noDateTraps() {
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e17] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(!HTTPDate.text(from: date).isEmpty)
            #expect(HTTPDate.date(from: "Sun Nov  6 08:49:37 1994", near: date) != nil)
            _ = HTTPDate.date(from: "Sunday, 06-Nov-94 08:49:37 GMT", near: date)
        }
    }
}
