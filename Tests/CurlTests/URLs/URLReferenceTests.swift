import Testing

@testable import Curl

/// References split into their parts, and the messages of what is no URL.
@Suite struct URLReferenceTests {
    private func parts(_ text: String) -> [String?] {
        let parts = URLReference(splitting: Array(text.utf8))
        return [parts.scheme, parts.authority, parts.path, parts.query, parts.fragment].map {
            part in
            part.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// RFC 3986, appendix B and section 1.1.2.
    @Test(
        "A reference is split as RFC 3986 does it",
        arguments: [
            (
                "http://www.ics.uci.edu/pub/ietf/uri/#Related",
                ["http", "www.ics.uci.edu", "/pub/ietf/uri/", nil, "Related"]
            ),
            (
                "ftp://ftp.is.co.za/rfc/rfc1808.txt",
                ["ftp", "ftp.is.co.za", "/rfc/rfc1808.txt", nil, nil]
            ),
            (
                "ldap://[2001:db8::7]/c=GB?objectClass?one",
                [
                    "ldap", "[2001:db8::7]", "/c=GB", "objectClass?one", nil,
                ]
            ),
            ("mailto:John.Doe@example.com", ["mailto", nil, "John.Doe@example.com", nil, nil]),
            ("tel:+1-816-555-1212", ["tel", nil, "+1-816-555-1212", nil, nil]),
            ("telnet://192.0.2.16:80/", ["telnet", "192.0.2.16:80", "/", nil, nil]),
            ("urn:oasis:names", ["urn", nil, "oasis:names", nil, nil]),
            ("", [nil, nil, "", nil, nil]), ("#", [nil, nil, "", nil, ""]),
            ("?", [nil, nil, "", "", nil]), ("?#", [nil, nil, "", "", ""]),
            ("#a?b#c", [nil, nil, "", nil, "a?b#c"]), ("//", [nil, "", "", nil, nil]),
            ("//h?q", [nil, "h", "", "q", nil]), ("///p", [nil, "", "/p", nil, nil]),
            ("a/b:c", [nil, nil, "a/b:c", nil, nil]), (":a", [nil, nil, ":a", nil, nil]),
            ("1a:b", [nil, nil, "1a:b", nil, nil]), ("a+-.1:b", ["a+-.1", nil, "b", nil, nil]),
            ("é:b", [nil, nil, "é:b", nil, nil]), ("a?b:c//d", [nil, nil, "a", "b:c//d", nil]),
        ] as [(String, [String?])]
    )
    func referenceIsSplit(text: String, expected: [String?]) {
        #expect(parts(text) == expected)
    }

    @Test(
        "Bytes that a URL can't contain are percent-encoded, except in the authority",
        arguments: [
            ("http://h/a b", "http://h/a%20b"), ("http://h/%20", "http://h/%20"),
            ("//ü/ü?ü#ü", "//ü/%C3%BC?%C3%BC#%C3%BC"), ("\u{7f}\u{1}", "%7F%01"),
            ("a\0b", "a%00b"), ("//a\0b/", "//a b/"), ("<>\"{}|\\^`", "<>\"{}|\\^`"), ("", ""),
            ("s:?#", "s:?#"),
        ]
    )
    func otherBytesAreEncoded(text: String, expected: String) {
        #expect(URLReference(splitting: Array(text.utf8)).encoded == expected)
    }

    @Test(
        "A relative path replaces the base's path after its last slash",
        arguments: [
            ("", "/a/b", "/a/b", "q"), ("?x", "/a/b", "/a/b", "x"), ("?", "/a/b", "/a/b", ""),
            ("c", "/a/b", "/a/c", nil), ("c?x", "/a/b", "/a/c", "x"), ("c", "", "c", nil),
            ("c", "/", "/c", nil), ("/c", "/a/b", "/c", nil), ("../c", "/a/b/", "/a/b/../c", nil),
        ] as [(String, String, String, String?)]
    )
    func relativePathIsMerged(text: String, base: String, path: String, query: String?) {
        var reference = URLReference(splitting: Array(text.utf8))
        reference.inheritPath(of: base, query: "q")
        #expect(String(decoding: reference.path, as: UTF8.self) == path)
        #expect(reference.query.map { String(decoding: $0, as: UTF8.self) } == query)
    }

    @Test(
        "The message of an invalid URL has the fault and the remedy, but not the URL",
        arguments: [
            ("secret", "there is no scheme, such as https://, at its start"),
            ("http://", "there is no host after its scheme"),
            ("secret://h/", "its scheme is not supported"),
            ("http://h:secret/", "its port is no number from 0 to 65535"),
            ("http://[secret/", "its host is no valid name or address"),
            ("http://h/secret x", "the byte 0x20 at offset 15 has to be percent-encoded"),
            ("http://h/secret\n", "the byte 0x0a at offset 15 has to be percent-encoded"),
            ("http://h/secret\u{7f}", "the byte 0x7f at offset 15 has to be percent-encoded"),
        ]
    )
    func messageSaysWhatIsWrong(text: String, message: String) {
        let failure = #expect(throws: CurlURL.Failure.self) { _ = try CurlURL(parsing: text) }
        #expect(failure?.message == message)
        #expect(failure?.description == message)
    }

    @Test("A URL whose user name has a control byte is an error when its user is read")
    func controlByteHasItsReason() throws {
        let url = try CurlURL(parsing: "http://a%0ab@h/")
        let failure = #expect(throws: CurlURL.Failure.self) { _ = try url.user }
        #expect(failure?.reason == .badEncoding)
        #expect(failure?.message == "a part of it decodes to a control byte")
        #expect(url.hasUserInfo == true)
        #expect(try url.password == nil)
    }

    @Test(
        "A URL has user info if it has a name or a password",
        arguments: [
            ("http://u@h/", "u", nil), ("http://u:@h/", "u", ""), ("http://:p@h/", "", "p"),
            ("http://u%40:%3a@h/", "u@", ":"), ("http://h/@", nil, nil),
        ] as [(String, String?, String?)]
    )
    func userInfoHasNameOrPassword(text: String, user: String?, password: String?) throws {
        let url = try CurlURL(parsing: text)
        #expect(url.hasUserInfo == (user != nil || password != nil))
        #expect((try url.user ?? "") == (user ?? ""))
        #expect((try url.password ?? "") == (password ?? ""))
        #expect(url.string == (text.hasSuffix("@") ? text : "http://h/"))
    }

    @Test(
        "The zone of an IPv6 address is part of the authority and the origin",
        arguments: [
            ("http://[fe80::1%25eth0]/", true), ("http://[fe80::1]/", false),
            ("http://h/%25", false),
        ]
    )
    func zoneBelongsToTheOrigin(text: String, hasZone: Bool) throws {
        let url = try CurlURL(parsing: text)
        #expect(url.hasZone == hasZone)
        #expect(url.authority == text.dropFirst(7).prefix { $0 != "/" })
        let other = try CurlURL(parsing: "http://[fe80::1%25eth1]/")
        let same = try CurlURL(parsing: text)
        #expect(url.hasSameOrigin(as: other) == false)
        #expect(url.hasSameOrigin(as: same) == true)
    }
}
