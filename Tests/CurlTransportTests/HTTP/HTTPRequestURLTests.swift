import HTTPTypes
import Testing

@testable import CurlTransport

struct HTTPRequestURLTests {
    @Test(arguments: [
        ("http://h", "http", "h", "/"), ("HTTPS://h:443/a/../b?c#d", "https", "h", "/a/../b?c"),
        ("http://h:8080/?x", "http", "h:8080", "/?x"), ("http://[::1]:1/", "http", "[::1]:1", "/"),
        ("http://h/ü?ü", "http", "h", "/%C3%BC?%C3%BC"),
        ("http://bücher.example/", "http", "bücher.example", "/"),
    ])
    func urlIsSplitIntoSchemeAuthorityAndPath(
        url: String,
        scheme: String,
        authority: String,
        path: String
    ) throws {
        let request = try HTTPRequest(method: .put, url: url, headerFields: [.accept: "a/b"])
        #expect(request.method == .put)
        #expect(request.scheme == scheme)
        #expect(request.authority == authority)
        #expect(request.path == path)
        #expect(request.url == "\(scheme)://\(authority)\(path)")
        #expect(request.headerFields == [.accept: "a/b"])
    }

    @Test(arguments: [
        ("", TransportError.Code.invalidURL), ("h/x", .invalidURL), ("http://", .invalidURL),
        ("http://h/a b", .invalidURL), ("http://h/\r\nX: y", .invalidURL),
        ("http://h:99999/", .invalidURL), ("ftp://h/", .unsupportedURL),
        ("gurk://h/", .unsupportedURL), ("file:///etc/passwd", .unsupportedURL),
        ("http://a%00:b@h/", .invalidURL), ("http://a%3a:b@h/", .invalidURL),
    ])
    func unsupportedURLsAreErrors(url: String, code: TransportError.Code) {
        let error = #expect(throws: TransportError.self) { try HTTPRequest(url: url) }
        #expect(error?.code == code)
        #expect(error?.phase == .queued)
        #expect(error?.retry == .never)
    }

    @Test(arguments: [
        ("http://Aladdin:open%20sesame@h/", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("http://u@h/", "Basic dTo="), ("http://:p@h/", "Basic OnA="),
    ])
    func urlCredentialsBecomeAuthorizationField(url: String, expected: String) throws {
        let request = try HTTPRequest(url: url)
        #expect(request.headerFields[.authorization] == expected)
        #expect(request.url == "http://h/")
    }

    @Test func existingAuthorizationIsKept() throws {
        let request = try HTTPRequest(
            url: "http://u:p@h/",
            headerFields: [.authorization: "Bearer t"]
        )
        #expect(request.headerFields[values: .authorization] == ["Bearer t"])
    }

    @Test func errorDoesNotShowURL() {
        for url in ["http://u:secret@h /", "http://u:secret@h:x/?secret", "x://u:secret@h/"] {
            let error = #expect(throws: TransportError.self) { try HTTPRequest(url: url) }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func requestWithoutSchemeOrAuthorityHasNoURL() {
        let none = HTTPRequest(method: .get, scheme: nil, authority: "h", path: "/")
        #expect(none.url == nil)
        let star = HTTPRequest(method: .options, scheme: "http", authority: "h", path: "*")
        #expect(star.url == "http://h/")
        let bare = HTTPRequest(method: .get, scheme: "http", authority: "h", path: nil)
        #expect(bare.url == "http://h/")
    }

    // The test vectors of RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{fb}\u{ff}>?", "w7vDvz4/"),
    ])
    func base64MatchesRFCVectors(text: String, expected: String) {
        #expect(Base64.encode(Array(text.utf8)) == expected)
    }
}
