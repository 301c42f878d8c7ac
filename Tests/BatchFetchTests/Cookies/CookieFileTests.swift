import Testing

@testable import BatchFetch

/// The format of cookie files.
@Suite struct CookieFileTests {
    @Test("Given cookies, then a file with them is read as the same cookies")
    func filesAreReadAsWritten() throws {
        let cookies = [
            RunCookie(name: "a", value: "1", domain: "h.test", isHostOnly: true, path: "/x"),
            RunCookie(
                name: "",
                value: "v",
                domain: "example.com",
                isHostOnly: false,
                path: "/",
                isSecure: true,
                isHTTPOnly: true,
                expires: 2000
            ),
        ]
        let text = CookieFile.text(cookies, now: 1000)
        #expect(
            text.hasSuffix(
                "h.test\tFALSE\t/x\tFALSE\t0\ta\t1\n#HttpOnly_.example.com\tTRUE\t/\tTRUE\t2000\t\tv\n"
            )
        )
        #expect(try CookieFile.cookies(in: text) == cookies)
        #expect(CookieFile.text(cookies, now: 2000).contains("example.com") == false)
    }

    @Test("Given a file of curl, then comments are skipped, and cookies of public suffixes")
    func filesOfCurlAreRead() throws {
        let text = """
            # Netscape HTTP Cookie File\r
            # a comment

            127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue\r
            .com\tTRUE\t/\tFALSE\t0\tbad\tvalue
            H.test\tfalse\t/\tfalse\t1.5e9\tempty
            """
        let cookies = try CookieFile.cookies(in: text)
        #expect(cookies.map(\.pair) == ["name=value", "empty="])
        #expect(cookies.map(\.domain) == ["127.0.0.1", "h.test"])
        #expect(cookies.map(\.expires) == [nil, 1.5e9])
    }

    @Test(
        "Given a malformed line, then it is reported without its text",
        arguments: [
            ("\nh.test TRUE / FALSE 0 a s3cret", 2, "a cookie has seven fields"),
            ("h.test\tyes\t/\tFALSE\t0\ta\ts3cret", 1, "the second and fourth field"),
            ("h.test\tTRUE\t/\tFALSE\tsoon\ta\ts3cret", 1, "the fifth field is a time"),
        ]
    )
    func malformedLinesAreReported(text: String, line: Int, reason: String) {
        let mistake = #expect(throws: CookieFile.Mistake.self) {
            try CookieFile.cookies(in: text)
        }
        #expect(mistake?.line == line)
        #expect(mistake?.reason.hasPrefix(reason) == true)
        #expect(mistake?.reason.contains("s3cret") == false)
    }
}
