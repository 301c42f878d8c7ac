import CurlTransport
import HTTPTypes
import Testing

@testable import BatchFetch

@Suite struct FetchTargetTests {
    @Test(arguments: [
        ("https://Example.org/a", "example.org:443", "/a"),
        ("http://example.org", "example.org:80", ""),
        ("HTTP://example.org:8080?x", "example.org:8080", "?x"),
        ("http://user:p:w@example.org/@", "example.org:80", "/@"),
        ("http://a@b@example.org/", "example.org:80", "/"),
        ("http://[::1]:81/", "::1:81", "/"),
        ("http://[FE80::1]/", "fe80::1:80", "/"),
        ("https://example.org:/x", "example.org:443", "/x"),
        ("http://example.org./x", "example.org:80", "/x"),
        ("https://example.org.:8443/x", "example.org:8443", "/x"),
        ("http://127.1/x", "127.0.0.1:80", "/x"),
        ("http://0x7f.0.0.1:81/x", "127.0.0.1:81", "/x"),
        ("http://2130706433", "127.0.0.1:80", ""),
        ("http://127.0.0.1.nip.io/", "127.0.0.1.nip.io:80", "/"),
        ("http://[0:0::1]/", "::1:80", "/"),
        ("http://1.2.3.4.5/", "1.2.3.4.5:80", "/"),
    ])
    func hostAndPortAreParsedFromTheURL(url: String, key: String, rest: String) throws {
        let target = try FetchTarget(url)
        #expect(target.hostKey == key)
        #expect(target.rest == rest)
        #expect(target.url == url)
    }

    @Test(arguments: [
        ("example.org/a", "“example.org/a” has no scheme: write https://example.org/a"),
        ("ftp://example.org/", "“ftp://example.org/” has the scheme ftp: use http or https"),
        ("file:///etc/passwd", "“file:///etc/passwd” has the scheme file: use http or https"),
        ("http://", "“http://” has no host"),
        ("http:///a", "“http:///a” has no host"),
        ("http://:80/", "“http://:80/” has no host"),
        ("http://h:x/", "“http://h:x/” has no valid port: “x”"),
        ("http://h:0/", "“http://h:0/” has no valid port: “0”"),
        ("http://h:65536/", "“http://h:65536/” has no valid port: “65536”"),
        ("http://h:+80/", "“http://h:+80/” has no valid port: “+80”"),
        ("http://[::1/", "“http://[::1/” has an IPv6 address without a closing bracket"),
        ("http://h/a b", "“http://h/a…” contains a space: write %20"),
        ("http://u:pass word@h/a?token", "“http://…” contains a space: write %20"),
        (
            "http://u:pa/ss@h/?t",
            "“http://…@h/…” has no valid port; a slash in a password is written %2F"
        ),
        ("u:p@h/?t", "“…@h/…” has no scheme: write https://…@h/…"),
        ("{\"url\":1}", "the line is JSON, not a URL: set the format of the list to JSONL"),
        ("http://h/\u{1}", "the URL contains a control character (byte 1)"),
        ("://h", "“://h” has no scheme: write https://://h"),
        ("//h/x", "“//h/x” has no scheme: write https://h/x"),
        (":", "“:” has no scheme: write https://:"),
    ])
    func invalidURLIsReported(url: String, message: String) {
        let failure = #expect(throws: BatchFailure.self) { try FetchTarget(url) }
        #expect(failure?.code == .invalidURL)
        #expect(failure?.message == message)
    }

    @Test(
        "A host of more than 253 characters is an invalid URL, with and without capital letters",
        arguments: ["http://", "HTTP://", "http://u:p@"]
    )
    func longHostIsReported(beginning: String) throws {
        let host = String(repeating: "a", count: 253)
        let longest = try FetchTarget("\(beginning)\(host)/")
        #expect(longest.host == host)
        for long in [host + "a", String(repeating: "a", count: 95_000)] {
            let failure = #expect(throws: BatchFailure.self) {
                try FetchTarget("\(beginning)\(long)/")
            }
            #expect(failure?.code == .invalidURL)
            #expect(failure?.message.hasSuffix("its host has more than 253 characters") == true)
            #expect(failure.map { $0.message.utf8.count < 400 } == true)
        }
    }

    /// The fast path for plain URLs gives the same result.
    @Test(arguments: [
        "//example.org", "//example.org/", "//example.org/a?b", "//example.org:8080/a//b",
        "//127.0.0.1:1/x", "//a-b.c/?q",
    ])
    func quickAndFullParsingAgree(rest: String) throws {
        for scheme in ["http", "https"] {
            let plain = try FetchTarget("\(scheme):\(rest)")
            let other = try FetchTarget("\(scheme.uppercased()):\(rest)")
            #expect(plain.hostKey == other.hostKey)
            #expect(plain.port == other.port)
            #expect(plain.isSecure == other.isSecure)
            #expect(plain.rest == other.rest)
            #expect(other.requestURL == nil)
            let isSame = !plain.rest.isEmpty
            #expect(plain.requestURL == (isSame ? plain.url : nil))
            if isSame { #expect(try HTTPRequest(url: plain.url).url == plain.url) }
        }
    }
}
