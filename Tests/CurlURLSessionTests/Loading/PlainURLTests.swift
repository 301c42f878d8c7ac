internal import CurlTransport
internal import HTTPTypes
internal import Testing

@testable internal import CurlURLSession

@Suite struct PlainURLTests {
    @Test(arguments: [
        "http://example.org/", "https://example.org/a/b?c=d&e=f", "http://127.0.0.1:8080/x",
        "https://a-b.example.org:8443/~user/;v=1/(x)!$'*+,", "http://localhost:1/", "http://h1/@:",
        "http://1.example/", "http://0.0.0.0:9/", "http://255.255.255.255/", "http://a/../b/./c",
    ])
    func whatIsPlainIsReadAsTheEngineReadsIt(_ text: String) throws {
        let plain = try #require(PlainURL(text))
        let request = try HTTPRequest(url: text)
        #expect(plain.scheme == request.scheme)
        #expect(plain.authority == request.authority)
        #expect(plain.path == request.path)
    }

    @Test(arguments: [
        "", "http", "http://", "http:///", "ftp://example.org/", "HTTP://example.org/",
        "http://Example.org/", "http://example.org", "http://example.org?x",
        "http://u@example.org/",
        "http://example.org:80/", "https://example.org:443/", "http://example.org:/",
        "http://example.org:0/", "http://example.org:08/", "http://example.org:65536/",
        "http://example.org:8a/", "http://[::1]/", "http://127.1/", "http://1.2.3/",
        "http://1.2.3.4.5/",
        "http://01.2.3.4/", "http://256.1.1.1/", "http://1.2.3.00/", "http://.a/", "http://a./",
        "http://a..b/", "http://a_b/", "http://a/#b", "http://a/%41", "http://a/ä", "http://a/ b",
        "http://a/\"", "http://a/\\", "http://a/[", "http://a/|", "http://a/{", "http://a/^",
        "http://a/`", "http://a/<", "http://ä/", "http://a\u{0}/", "http://a/\u{7f}",
    ])
    func whatIsNotPlainIsLeftToTheEngine(_ text: String) {
        #expect(PlainURL(text) == nil)
    }
}
