import Testing

@testable import BatchFetch

/// URLs in messages and logs, without secrets.
@Suite struct URLTextTests {
    @Test(arguments: [
        ("https://u:p@h/a?b", "https://…@h/a?b"), ("https://u@h", "https://…@h"),
        ("https://a@b:p@h:1/", "https://…@h:1/"),
        ("https://@h/", "https://…@h/"), ("https://h/a@b", "https://h/a@b"),
        ("https://h?x=a@b", "https://h?x=a@b"), ("https://h#a@b", "https://h#a@b"),
        ("https://u:p@h#x@y", "https://…@h#x@y"), ("u:p@h", "u:p@h"), ("", ""),
        ("https://u:p@\u{301}h/", "https://…@\u{301}h/"),
    ])
    func userInfoIsRemovedFromTheAuthorityOnly(url: String, text: String) {
        #expect(URLText.withoutUserInfo(url) == text)
    }

    @Test(arguments: [
        ("https://u:p@h?token", "https://…@h?…"), ("https://h/a?x#y", "https://h/a?…"),
        ("https://h/a#x?y", "https://h/a#…"), ("https://h/?", "https://h/?…"),
        ("https://h/a", "https://h/a"), ("https://h/a?\u{301}x", "https://h/a?…"),
    ])
    func firstOfQueryAndFragmentEndsALoggedURL(url: String, text: String) {
        #expect(URLText.forLog(url) == text)
    }

    @Test(
        "A report shows no user name, no value of a query and no fragment",
        arguments: [
            ("https://u:p@h/a", "https://…@h/a"), ("https://h/a@b", "https://h/a@b"),
            ("https://h/a?X-Date=1&X-Signature=s", "https://h/a?X-Date=…&X-Signature=…"),
            ("https://h/?token", "https://h/?…"), ("https://h?dG9rZW4=", "https://h?…"),
            ("https://h?dG9rZQ==&a=b=c", "https://h?…&a=…"), ("https://h/?&a=", "https://h/?&…"),
            ("https://h/a#token", "https://h/a#…"), ("https://h?a=b#c?d=e", "https://h?a=…#…"),
            ("https://h/?", "https://h/?"), ("http://u:s3c ret@h/", "http://…"),
            ("http://u:s3/c@h/", "http://…@h/"), (#"{"url":"http://u:p@h/"}"#, "…"), ("", ""),
        ]
    )
    func reportShowsNoSecret(text: String, shown: String) {
        #expect(URLText.forReport(text) == shown)
    }

    /// What isn't a URL may have a secret anywhere.
    @Test(arguments: [
        (#"{"url":"https://u:p@h/"}"#, "…"), ("\"https://h/\"", "…"), (" https://h/", "…"),
        ("https://u:p@h/x?t=1", "https://…@h/x…"), ("https://h/a b", "https://h/a…"),
        ("https://h/a\u{3000}b", "https://h/a…"), ("https://h/#x", "https://h/…"),
        ("https://u:p/q@h/", "https://…@h/"), ("u:p@h", "…@h"), ("a@b@c", "…@c"),
        ("h:80/{x}", "h:80/…"), ("c:\\users\\me", "c:…"), ("plain", "plain"), ("", ""),
    ])
    func malformedTextIsShownUpToItsFirstDoubt(text: String, shown: String) {
        #expect(URLText.ofMalformed(text) == shown)
    }

    @Test(arguments: [
        "https://u:secret@h:99999/", "https://u:secret@/", "https://u:secret@[::1",
        "https://u:x/secret@h/", "ftp://u:secret@h/?secret", "u:secret@h", "https://h/ ?secret",
        "https://u:secret@h/a b", "https://u:secret\u{1}@h/", "https://u:secret?x@h/",
        "https://u:secret word@h/", "https://u:secret#x/@h/",
    ])
    func messageAboutAnInvalidURLHasNoSecret(url: String) throws {
        let failure = #expect(throws: BatchFailure.self) { try FetchTarget(url) }
        #expect(try #require(failure).message.contains("secret") == false)
    }

    @Test func longURLIsShortenedInMessages() {
        let url = "https://h/" + String(repeating: "a", count: 300) + " b"
        let failure = #expect(throws: BatchFailure.self) { try FetchTarget(url) }
        let beginning = "“https://h/" + String(repeating: "a", count: 190) + "…” contains a space"
        #expect(failure?.message.hasPrefix(beginning) == true)
    }

    /// The transport sends them in a field.
    @Test func credentialsDoNotBelongToTheHost() throws {
        let target = try FetchTarget("http://user:secret@Example.org./a")
        #expect(target.hostKey == "example.org:80" && target.requestURL == nil)
        #expect(target.robots.url == "http://example.org:80/robots.txt")
        #expect(target.robots.isRobots && !target.isRobots)
    }
}
