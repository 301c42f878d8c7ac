import Foundation
import Testing

@testable import CurlURLSession

/// Tests RFC 6265bis, 5.6 and 5.7.
struct SetCookieTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func cookie(
        _ field: String,
        _ url: String = "https://www.example.com/dir/file?q"
    ) throws -> CookieAttributes? {
        CookieAttributes(setCookie: field, url: try #require(URL(string: url)), now: now)
    }

    @Test(arguments: [
        ("a=b", "a", "b"), (" a = b ", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"),
        ("a=\"b c\"", "a", "\"b c\""), ("a=b,c", "a", "b,c"), ("b", "", "b"), ("=b", "", "b"),
        ("a=b;", "a", "b"), ("a\t=\tb", "a", "b"), ("ü=ö", "ü", "ö"), ("a=b; x", "a", "b"),
    ])
    func nameAndValueAreSplitAtTheFirstEqualsSign(field: String, name: String, value: String)
        throws
    {
        let cookie = try #require(try cookie(field))
        #expect(cookie.name == name)
        #expect(cookie.value == value)
        #expect(cookie.domain == "www.example.com")
        #expect(cookie.path == "/dir")
        #expect(cookie.expires == nil)
        #expect(!cookie.isSecure)
        #expect(!cookie.isHTTPOnly)
        #expect(cookie.sameSite == nil)
    }

    @Test(arguments: [
        "", ";", "=", " = ; Path=/", "=a=b", "a=b\0", "a=b\r\nX: y", "a=b; Path=/\n", "a\u{7f}=b",
    ])
    func invalidFieldSetsNoCookie(field: String) throws {
        #expect(try cookie(field) == nil)
    }

    @Test(arguments: [
        // A leading dot stands for all hosts of the domain.
        ("Domain=example.com", "www.example.com", ".example.com"),
        ("Domain=.example.com", "www.example.com", ".example.com"),
        ("DOMAIN=EXAMPLE.com", "www.example.com", ".example.com"),
        ("Domain=www.example.com", "www.example.com", ".www.example.com"),
        ("Domain=", "www.example.com", "www.example.com"),
        ("Domain", "www.example.com", "www.example.com"),
        ("Domain=.", "www.example.com", "www.example.com"),
        ("Domain=a.org; Domain=example.com", "www.example.com", ".example.com"),
        ("", "WWW.Example.COM", "www.example.com"), ("Domain=localhost", "localhost", "localhost"),
        ("Domain=127.0.0.1", "127.0.0.1", "127.0.0.1"), ("", "[::1]", "::1"),
        // Other domains, domains below the host, and public suffixes.
        ("Domain=example.org", "www.example.com", nil), ("Domain=ample.com", "example.com", nil),
        ("Domain=a.www.example.com", "www.example.com", nil), ("Domain=com", "example.com", nil),
        ("Domain=.com", "example.com", nil), ("Domain=0.0.1", "127.0.0.1", nil),
        ("Domain=..", "www.example.com", nil), ("Domain=co.uk", "example.co.uk", nil),
        ("Domain=github.io", "a.github.io", nil), ("Domain=github.io", "github.io", "github.io"),
        ("Domain=a.github.io", "a.github.io", ".a.github.io"),
        ("Domain=com.", "example.com.", nil), ("Domain=..com", "a..com", nil),
        ("Domain=1.0x1", "10.1.0x1", nil),
        ("Domain=bücher.example", "www.xn--bcher-kva.example", ".xn--bcher-kva.example"),
        ("Domain=www.example.com.", "www.example.com", nil),
    ])
    func hostSetsCookiesForItsOwnDomains(attribute: String, host: String, domain: String?) throws {
        #expect(try cookie("a=b; \(attribute)", "https://\(host)/")?.domain == domain)
    }

    @Test(arguments: [
        ("", "https://h/dir/file", "/dir"), ("", "https://h/dir/", "/dir"),
        ("", "https://h/file", "/"),
        ("", "https://h/", "/"), ("", "https://h", "/"), ("", "https://h/a/b/c?d/e", "/a/b"),
        ("Path=/x", "https://h/dir/file", "/x"), ("path=/x/", "https://h/", "/x/"),
        ("Path=", "https://h/dir/file", "/dir"), ("Path=x", "https://h/dir/file", "/dir"),
        ("Path=/x; Path=/y", "https://h/", "/y"), ("Path=/x; Path=y", "https://h/a/b", "/a"),
        ("", "https://h/%2Fa/b", "/%2Fa"),
    ])
    func defaultPathIsTheFolder(attribute: String, url: String, path: String) throws {
        #expect(try cookie("a=b; \(attribute)", url)?.path == path)
    }

    @Test(arguments: [
        ("Max-Age=10", 1_000_010.0),
        ("max-age=10; Expires=Sun, 06 Nov 1994 08:49:37 GMT", 1_000_010),
        ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Max-Age=x; Expires=Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Max-Age=1.5", nil), ("Max-Age=+1", nil), ("Max-Age=", nil), ("Max-Age=-", nil),
        ("Expires=never", nil), ("Max-Age=0", Date.distantPast.timeIntervalSince1970),
        ("Max-Age=00", Date.distantPast.timeIntervalSince1970),
        ("Max-Age=-1", Date.distantPast.timeIntervalSince1970),
        ("Max-Age=\(String(repeating: "9", count: 400))", Date.distantFuture.timeIntervalSince1970),
    ])
    func theMaximumAgeGoesBeforeTheDate(attributes: String, seconds: Double?) throws {
        let cookie = try #require(try cookie("a=b; \(attributes)"))
        #expect(cookie.expires?.timeIntervalSince1970 == seconds)
    }

    @Test func attributeNamesAreCaseInsensitive() throws {
        let cookie = try #require(
            try cookie(
                "a=b; SECURE; httponly; SameSite=LAX; unknown=1; ;=; Version=1; Port=80, 443"
            )
        )
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.sameSite == .sameSiteLax)
        #expect(cookie.version == 1)
        #expect(cookie.ports == [80, 443])
        #expect(try self.cookie("a=b; SameSite=Strict")?.sameSite == .sameSiteStrict)
        #expect(try self.cookie("a=b; SameSite=odd")?.sameSite == nil)
        #expect(try self.cookie("a=b; Port=80,443")?.ports == [80])
        #expect(try self.cookie("a=b; Version=1; Port=\"80,443\"")?.ports == [80, 443])
        #expect(try self.cookie("a=b; Port=x")?.ports == nil)
        #expect(try self.cookie("a=b; Max-Age=1; Discard")?.isDiscarded == true)
        #expect(try self.cookie("a=b; Secure=no")?.isSecure == true)
    }

    @Test(arguments: [
        ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__SECURE-a=b", false),
        ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Path=/", false),
        ("__Host-a=b; Secure; Path=/x", false), ("__Host-a=b; Secure", false),
        ("__Host-a=b; Secure; Path=x", false),
        ("__host-a=b; Secure; Path=/; Domain=www.example.com", false),
        ("__Host-a=b; Secure; Path=/; Domain=", true), ("=__Secure-a; Secure", false),
        ("__Host-a; Secure; Path=/", false), ("__Secure-\u{301}a=b", false),
        ("__Host-\u{301}a=b", false), ("__Hosta=b", true),
    ])
    func namePrefixRulesAreEnforced(field: String, isSet: Bool) throws {
        #expect(try (cookie(field) != nil) == isSet)
    }

    @Test func sizesAreLimited() throws {
        #expect(try cookie("a=" + String(repeating: "b", count: 4_095)) != nil)
        #expect(try cookie("a=" + String(repeating: "b", count: 4_096)) == nil)
        let path = "/" + String(repeating: "p", count: 1_023)
        #expect(try cookie("a=b; Path=\(path)")?.path == path)
        #expect(try cookie("a=b; Path=\(path)p")?.path == "/dir")
    }

    @Test(
        "A comment without a value is no comment",
        arguments: [
            ("Comment", nil), ("comment ;Secure", nil), ("Comment=", ""), ("Comment=c", "c"),
            ("Comment=c; Comment", "c"),
        ]
    )
    func commentNeedsAValue(attributes: String, comment: String?) throws {
        let cookie = try #require(try cookie("a=b; \(attributes)"))
        #expect(cookie.comment == comment)
    }

    @Test func urlWithoutAHostSetsNoCookie() throws {
        #expect(try cookie("a=b", "data:text/plain,x") == nil)
    }

    @Test(arguments: [
        ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", " b=2"]), ("a=1,b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2",
            [
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", " b=2",
            ]
        ),
        ("a=1,2; Path=/, b=(x, y)=3", ["a=1,2; Path=/", " b=(x, y)=3"]), ("", [""]), (",", [","]),
        ("a=1,\nb=2", ["a=1", "b=2"]), ("a=1,\r\n b=2", ["a=1", " b=2"]),
        ("\na=1, \n\tb=2", ["a=1", "\tb=2"]), ("a=1,\n2", ["a=1,\n2"]),
    ])
    func joinedFieldsAreSplit(text: String, cookies: [String]) {
        #expect(SetCookieList.split(text) == cookies)
    }
}
