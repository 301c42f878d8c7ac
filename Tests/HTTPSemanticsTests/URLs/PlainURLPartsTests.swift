import HTTPSemantics
import Testing

/// The parts of a URL that libcurl wouldn't change.
@Suite struct PlainURLPartsTests {
    @Test(
        "A plain URL is split into scheme, authority, port and path",
        arguments: [
            ("http://example.org", "http", "example.org", nil, "/"),
            ("https://example.org/", "https", "example.org", nil, "/"),
            ("http://h:8080/a/../b?c=d", "http", "h:8080", 8080, "/a/../b?c=d"),
            ("https://127.0.0.1:80/x", "https", "127.0.0.1:80", 80, "/x"),
            ("http://h:443//", "http", "h:443", 443, "//"),
            ("http://h:65535", "http", "h:65535", 65_535, "/"),
            ("https://a.b-c.d:1/?x", "https", "a.b-c.d:1", 1, "/?x"),
        ] as [(String, String, String, UInt16?, String)]
    )
    func partsAreThoseOfTheText(
        text: String,
        scheme: String,
        authority: String,
        port: UInt16?,
        path: String
    ) throws {
        let url = try #require(PlainURL(text))
        #expect(url.scheme == scheme && url.isSecure == (scheme == "https"))
        #expect(url.authority == authority)
        #expect(url.port == port)
        #expect(url.pathAndQuery == path)
        #expect(url.hasPath == (text != "\(scheme)://\(authority)"))
        #expect(url.authorityEnd == scheme.utf8.count + 3 + authority.utf8.count)
    }

    @Test(
        "A dot at the end of the host is recognised, with and without a port",
        arguments: [
            ("http://a.b./", true), ("http://a.b.:81", true), ("http://a.b/x.", false),
            ("http://a.", true), ("http://a.b:81/", false), ("https://1.2.3.4", false),
        ]
    )
    func dotAtTheEndOfTheHostIsRecognised(text: String, endsInDot: Bool) throws {
        #expect(try #require(PlainURL(text)).endsInDot == endsInDot)
    }

    @Test("A host has at most 253 bytes, and a path fewer than 65536")
    func lengthsAreLimited() {
        let host = String(repeating: "h", count: 253)
        #expect(PlainURL("http://\(host)/") != nil)
        #expect(PlainURL("http://h\(host)/") == nil)
        let path = "/" + String(repeating: "p", count: 65_534)
        #expect(PlainURL("http://h\(path)") != nil)
        #expect(PlainURL("http://h\(path)p") == nil)
    }

    @Test("A plain URL's path has any visible ASCII characters except the hash")
    func visibleBytesOfAPathArePlain() {
        for byte in UInt8.min...UInt8.max {
            guard
                let text = String(
                    validating: Array("http://h/a".utf8) + [byte] + [0x62],
                    as: UTF8.self
                )
            else { continue }
            let isPlain = byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#")
            #expect((PlainURL(text) != nil) == isPlain, "\(byte)")
        }
    }

    @Test("A plain URL's host has only lower-case letters, digits, hyphens and dots")
    func fewBytesOfANameArePlain() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8)
        for byte in UInt8(0x21)..<0x7f where !Array(":/".utf8).contains(byte) {
            let text = "http://a\(UnicodeScalar(byte))b/"
            #expect((PlainURL(text) != nil) == allowed.contains(byte), "\(byte)")
        }
    }
}
