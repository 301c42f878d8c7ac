import Testing

@testable import CurlTransport

struct RedactionTests {
    @Test(arguments: [
        ("http://h/p", "http://h/p"), ("http://u:p@h/p?q#f", "http://h/p"),
        ("http://u:p@h", "http://h"), ("u:p@h:80/x?y", "h:80/x"), ("http://h?q", "http://h"),
        ("http://h#f", "http://h"), ("http://u:p?w@h/", "http://"),
        ("http://u:p w@h/", "http://h/"),
        ("http://a@b@c/", "http://c/"), ("", ""), ("?", "?"), ("@", ""),
        ("http://h/?mail=a@b", "http://"),
    ])
    func urlIsRedacted(url: String, expected: String) {
        #expect(Redaction.url(url) == expected)
    }

    @Test(arguments: [
        ("Unsupported proxy scheme for 'ftp://u:p@h'", "Unsupported proxy scheme for 'ftp://h'"),
        ("Unsupported proxy syntax in 'u:p@h:x'", "Unsupported proxy syntax in h:x'"),
        ("GET /a?token=x failed", "GET /a failed"), ("Is it there? No #1.", "Is it there? No #1."),
        ("plain", "plain"), ("two  spaces", "two  spaces"),
    ])
    func textIsRedacted(text: String, expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test(arguments: ["http://user:secret@host/path?secret#secret", "user:secret@host", "/?secret"])
    func redactionIsIdempotent(text: String) {
        let once = Redaction.text(text)
        #expect(!once.contains("secret"))
        #expect(Redaction.text(once) == once)
    }
}
