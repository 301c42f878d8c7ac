internal import Curl
internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct TransferLogTests {
    private func lines(_ kind: EasyLogKind, _ text: String) -> [String] {
        TransferLog.lines(kind, Array(text.utf8).span).map(\.text)
    }

    /// Lines of several libcurl versions about fields sent over HTTP/2.
    @Test(arguments: [
        "h2h3 [authorization: Bearer s3cret]", "h2 [cookie: a=s3cret[1]]",
        "[HTTP/2] [1] [authorization: Basic s3cret]",
        "[HTTP/2] [1] [Proxy-Authorization: [s3cret]]", "h2h3 [:path: /a?token=s3cret]",
        "Server auth using Basic with user 's3cret'", "Proxy auth using Digest with user 's3cret'",
        "Issue another request to this URL: 'http://u:s3cret@h/?s3cret'",
        "Switched from HTTP to HTTPS due to HSTS => https://h/?s3cret",
    ])
    func remarksAreRedacted(_ line: String) {
        let logged = lines(.text, line + "\n")
        #expect(logged.count == 1)
        #expect(!logged.joined().contains("s3cret"))
    }

    @Test(
        "Values of fields with credentials aren't logged",
        arguments: [
            "Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token", "X-CSRF-Token",
            "X-Amz-Security-Token", "X-Client-Secret", "X-Session", "WWW-Authenticate",
            "Authentication-Info",
        ]
    )
    func credentialsAreRedacted(_ name: String) {
        for kind in [EasyLogKind.headerSent, .headerReceived] {
            #expect(lines(kind, "\(name): s3cret\r\n") == ["\(name): <redacted>"])
        }
        let remark = "[HTTP/2] [1] [\(name.lowercased()): s3cret]"
        #expect(lines(.text, remark) == ["[HTTP/2] [1] [\(name.lowercased()): <redacted>]"])
    }

    @Test(arguments: [
        "Accept: */*", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Idempotency-Key: 1",
    ])
    func otherFieldsAreUnchanged(_ line: String) {
        #expect(lines(.headerSent, line + "\r\n") == [line])
    }

    @Test(arguments: [
        "h2h3 [accept: */*]", "Connected to h (127.0.0.1) port 80 (#0)", "  Trying 127.0.0.1:80...",
        "Connection #0 to host h left intact",
    ])
    func otherRemarksAreUnchanged(_ line: String) {
        #expect(lines(.text, line + "\n") == [line])
    }

    @Test(
        "Malformed fields and folded lines show no credentials",
        arguments: [
            "Set-Cookie : a=s3cret\r\n", " s3cret: x\r\n", "\ts3cret\r\n",
            "X-Token: a\rs3cret: b\r\n", "X-Token: a\u{2028}s3cret: b\n",
            "Set-Cookie: a=\u{b}s3cret:\u{85}s3cret\r\n",
        ]
    )
    func malformedFieldsAreRedacted(_ text: String) {
        for kind in [EasyLogKind.headerSent, .headerReceived] {
            let logged = lines(kind, text)
            #expect(logged.count == 1)
            #expect(!logged.joined().contains("s3cret"))
        }
    }

    @Test("A received line that is no header field isn't logged")
    func malformedLineIsRedacted() {
        #expect(lines(.headerReceived, "nonsense s3cret\r\n") == ["<redacted: no header field>"])
        for line in ["HTTP/1.1 200 OK", "HTTP/2 200"] {
            #expect(lines(.headerReceived, line + "\r\n\r\n") == [line])
        }
        #expect(lines(.headerSent, "GET /a?s3cret HTTP/1.1\r\n") == ["GET /a?<redacted> HTTP/1.1"])
    }

    @Test func bodiesAreNotLogged() {
        for kind in [EasyLogKind.bodyReceived, .bodySent, .tlsReceived, .tlsSent] {
            #expect(lines(kind, "s3cret").isEmpty)
        }
    }
}
