internal import HTTPSemantics
import Testing

@testable import Curl

@Suite struct PlainURLTests {
    private func expectSame(_ plain: PlainURL, as text: String) throws {
        let url = try CurlURL(parsing: text)
        #expect(plain.scheme == url.scheme, "\(text)")
        #expect(plain.authority == url.authority, "\(text)")
        #expect(plain.pathAndQuery == url.pathAndQuery, "\(text)")
        #expect(try url.user == nil && url.password == nil && url.fragment == nil, "\(text)")
    }

    @Test(arguments: [
        "http://example.org/", "https://example.org", "http://example.org:8080/a/../b%2f%zz",
        "https://a-b.c.:80/?a=b?c&d", "http://127.0.0.1:65535/x", "http://h/\"<>\\^`{|}",
        "http://1.2.3.4", "https://h:8443/a:b@c//d;e=f",
        "https://a-b.example.org:8443/~user/;v=1/(x)!$'*+,", "http://localhost:1/", "http://h1/@:",
        "http://0.0.0.0:9/", "http://255.255.255.255/",
    ])
    func plainURLMatchesLibcurl(text: String) throws {
        try expectSame(try #require(PlainURL(text)), as: text)
    }

    @Test(arguments: [
        "", "h", "http:/h/", "http://", "http:///x", "HTTP://h/", "http://H/", "ftp://h/",
        "http://u@h/", "http://u:p@h/", "http://[::1]/", "http://h:80/", "https://h:443/",
        "http://h:/", "http://h:0/", "http://h:08/", "http://h:65536/", "http://h:123456/",
        "http://h:x/", "http://h?x", "http://h/?", "http://h/#x", "http://h/a b", "http://h/ä",
        "http://ä/", "http://0x7f.1/", "http://127.1/", "http://1.2.3.256/", "http://01.2.3.4/",
        "http://1.2.3.4.5/", "http://1.2.3./", "http://h%41/", "http://h_/", "http://h\0/",
        "http://1.2.3.00/", "http://h:8a/", "http://.a/", "http://1.example/", "http://h../",
    ])
    func otherURLsAreLeftToLibcurl(text: String) {
        #expect(PlainURL(text) == nil)
    }

    @Test("A URL whose host is too long isn't plain, so that libcurl's parser gets it")
    func longHostIsLeftToLibcurl() {
        let host = String(repeating: "a", count: 253)
        #expect(PlainURL("http://\(host)/") != nil)
        #expect(PlainURL("http://\(host)a/") == nil)
    }

    @Test func randomPlainURLsMatchLibcurl() throws {
        let pieces = [
            "h", "a.b", "-", ".", "..", "/", "//", "/./", "/../", "?", "&", "=", ":", ":80", ":443",
            ":8080", "@", "#", "%", "%41", "[", "]", "1", "10.0.0.1", "0x1", "localhost", "\\", "'",
            "~", "+", ";", ",", "x", "Z", "_", "é", "\u{7f}", "|",
        ]
        var plainCount = 0
        for _ in 0..<20_000 {
            let tail = (0..<Int.random(in: 0..<7)).map { _ in
                pieces.randomElement() ?? ""
            }
            let text = (Bool.random() ? "http://" : "https://") + tail.joined()
            guard let plain = PlainURL(text) else { continue }
            plainCount += 1
            #expect(throws: Never.self, "\(text)") { try expectSame(plain, as: text) }
        }
        #expect(plainCount > 100)
    }
}
