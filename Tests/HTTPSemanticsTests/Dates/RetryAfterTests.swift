internal import HTTPSemantics
internal import Testing

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the date of RFC 9110's examples.
    private let moment: Int64 = 784_111_777

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func threeDateFormatsAreParsed(text: String) {
        #expect(HTTPDate.seconds(from: text, near: moment) == moment)
        #expect(RetryAfter.delay(from: text, now: moment - 90) == .seconds(90))
        #expect(RetryAfter.delay(from: text, now: moment + 90) == .zero)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
        ("Sat, 21 Nov 2026 14:48:51 GMT", 1_795_272_531),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ])
    func datesAreCountedFrom1970(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(from: text, near: moment) == seconds)
    }

    @Test(arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("99999999999999999999", 2_147_483_647)])
    func secondsAreParsed(text: String, seconds: Int64) {
        #expect(RetryAfter.delay(from: text, now: moment) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "soon", "-5", "1.5", "5 seconds", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
    func invalidRetryAfterIsIgnored(text: String) {
        #expect(RetryAfter.delay(from: text, now: moment) == nil)
    }
}
