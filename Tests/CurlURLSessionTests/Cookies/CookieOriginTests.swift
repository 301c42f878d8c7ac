import Foundation
import Testing

@testable import CurlURLSession

struct CookieOriginTests {
    private func origin(_ text: String) throws -> CookieOrigin? {
        CookieOrigin(try #require(URL(string: text)))
    }

    /// Tests path matching (RFC 6265bis, 5.1.4).
    @Test(arguments: [
        ("/", "/", true), ("/a", "/", true), ("/a/b", "/a", true), ("/a", "/a", true),
        ("/a/", "/a", true), ("/a/", "/a/", true), ("/a", "/a/", false), ("/ab", "/a", false),
        ("/b", "/a", false), ("/", "/a", false), ("/A", "/a", false), ("/a/b/c", "/a/b/", true),
        ("/a%2Fb", "/a", false), ("/a", "", true), ("/a", "a", false),
        // The path's bytes begin with `/e`, its characters don't.
        ("/e\u{301}", "/e", false),
    ])
    func pathIsWithinItsParentFolders(path: String, folder: String, isWithin: Bool) {
        #expect(CookieOrigin.isPath(path, within: folder) == isWithin)
    }

    @Test(arguments: [
        ("https://h", "/", true, 443), ("http://h/a/b?c/d#e", "/a/b", false, 80),
        ("WSS://h/%41", "/%41", true, 443), ("ws://h:8080/", "/", false, 8080),
        ("https://127.0.0.1:8443/", "/", true, 8443), ("http://localhost/", "/", false, 80),
    ])
    func originIsReadFromAURL(text: String, path: String, isSecure: Bool, port: Int) throws {
        let origin = try #require(try origin(text))
        #expect(origin.path == path)
        #expect(origin.isSecure == isSecure)
        #expect(origin.port == port)
    }

    @Test(arguments: [
        ("https://www.example.com/", true), ("http://example.com/x", true),
        ("https://a.b.example.com/", true), ("https://example.org/", false),
        ("https://com/", false), ("file:///a", false), ("https://127.0.0.1/", false),
    ])
    func sameRegistrableDomainIsTheSameSite(text: String, isSame: Bool) throws {
        let document = try #require(URL(string: text))
        #expect(try origin("https://api.example.com/")?.isSameSite(as: document) == isSame)
    }

    @Test func requestWithoutADocumentIsSameSite() throws {
        #expect(try origin("https://example.com/")?.isSameSite(as: nil) == true)
        let address = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(try origin("http://127.0.0.1:2/")?.isSameSite(as: address) == true)
        let other = try #require(URL(string: "https://a.github.io/"))
        #expect(try origin("https://b.github.io/")?.isSameSite(as: other) == false)
        #expect(try origin("data:,a") == nil)
    }
}
