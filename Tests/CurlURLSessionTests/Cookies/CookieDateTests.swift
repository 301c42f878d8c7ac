import Foundation
import Testing

@testable import CurlURLSession

struct CookieDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777),
        ("6 november 1994 8:49:37", 784_111_777), ("1994 Nov 08:49:37 6", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37 +0900", 784_111_777), ("06 Nov 94 08:49:37x", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("01 Jan 70 0:0:0", 0),
        ("01 Jan 69 0:0:0", 3_124_224_000),
        ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("29 Feb 2000 00:00:00", 951_782_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("01 Jan 1601 00:00:00", -11_644_473_600),
    ])
    func dateIsReadInAnyForm(text: String, seconds: Int) {
        #expect(CookieDate.date(from: text)?.timeIntervalSince1970 == Double(seconds))
    }

    @Test(arguments: [
        "", "0", "-1", "Session", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37",
        "06 Nov 08:49:37", "31 Feb 2020 00:00:00", "29 Feb 2100 00:00:00", "00 Nov 1994 08:49:37",
        "32 Nov 1994 08:49:37", "06 Nov 1600 08:49:37", "06 Nov 1994 24:00:00",
        "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60", "06 Nov 1994 08:49",
        "06 Nov 99999 08:49:37",
        "06 Nov 1994 108:49:37", "06 Nov 1994 08:49:137", "٠٦ Nov 1994 08:49:37",
    ])
    func invalidDateIsNil(text: String) {
        #expect(CookieDate.date(from: text) == nil)
    }
}
