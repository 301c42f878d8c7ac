import Foundation
import Testing

@testable import CurlURLSession

/// Tests RFC 6265bis, 5.7 and 5.8.
struct CookieJarTests {
    @Test(arguments: [
        // Without a domain, the cookie is sent to its host only.
        ("http://example.com/", "a=b", "http://example.com/", true),
        ("http://example.com/", "a=b", "http://EXAMPLE.com:8080/", true),
        ("http://example.com/", "a=b", "http://www.example.com/", false),
        ("http://www.example.com/", "a=b", "http://example.com/", false),
        // With a domain, it is sent to all hosts of the domain.
        ("http://www.example.com/", "a=b; Domain=example.com", "http://example.com/", true),
        ("http://www.example.com/", "a=b; Domain=example.com", "http://x.y.example.com/", true),
        ("http://www.example.com/", "a=b; Domain=example.com", "http://badexample.com/", false),
        ("http://www.example.com/", "a=b; Domain=example.com", "http://example.org/", false),
        ("http://www.example.com/", "a=b; Domain=www.example.com", "http://example.com/", false),
        // Public suffixes.
        ("http://www.example.com/", "a=b; Domain=com", "http://www.example.com/", false),
        ("http://a.github.io/", "a=b; Domain=github.io", "http://a.github.io/", false),
        ("http://github.io/", "a=b; Domain=github.io", "http://github.io/", true),
        ("http://github.io/", "a=b; Domain=github.io", "http://a.github.io/", false),
        ("http://www.example.com./", "a=b; Domain=com.", "http://www.example.com./", false),
        ("http://www.example.com./", "a=b; Domain=example.com.", "http://example.com./", true),
        // IP addresses.
        ("http://127.0.0.1/", "a=b", "http://127.0.0.1:8080/", true),
        ("http://127.0.0.1/", "a=b; Domain=127.0.0.1", "http://127.0.0.1/", true),
        ("http://127.0.0.1/", "a=b", "http://1.127.0.0.1/", false),
        ("http://[::1]/", "a=b", "http://[::1]/", true),
        ("http://127.0.0.1/", "a=b", "http://localhost/", false),
        // International names.
        ("http://bücher.example/", "a=b", "http://xn--bcher-kva.example/", true),
        (
            "http://www.bücher.example/", "a=b; Domain=BÜCHER.example", "http://bücher.example/",
            true
        ),
    ])
    func cookieIsSentToItsHostOrDomain(
        origin: String,
        field: String,
        url: String,
        isSent: Bool
    ) throws {
        var jar = CookieJar()
        try jar.set(field, from: origin)
        #expect(try jar.sent(to: url) == (isSent ? "a=b" : ""))
    }

    @Test(arguments: [
        ("/dir/file", "", "/dir/other", true), ("/dir/file", "", "/dir", true),
        ("/dir/file", "", "/dir/a/b", true), ("/dir/file", "", "/", false),
        ("/dir/file", "", "/directory", false), ("/", "; Path=/only", "/only", true),
        ("/", "; Path=/only", "/only/this?q", true), ("/", "; Path=/only", "/elsewhere", false),
        ("/", "; Path=/only/", "/only", false), ("/a/b", "; Path=/", "/", true),
    ])
    func cookieIsSentToItsPath(
        origin: String,
        attribute: String,
        path: String,
        isSent: Bool
    ) throws {
        var jar = CookieJar()
        try jar.set("a=b" + attribute, from: "http://example.com" + origin)
        #expect(try jar.sent(to: "http://example.com" + path) == (isSent ? "a=b" : ""))
    }

    @Test func cookiesAreSortedByPathLengthThenAge() throws {
        var jar = CookieJar()
        try jar.set("a=1; Path=/", from: "http://www.example.com/", at: 0)
        try jar.set("b=2; Path=/x/y", from: "http://www.example.com/", at: 1)
        try jar.set("c=3; Path=/x", from: "http://www.example.com/", at: 2)
        try jar.set("d=4; Path=/; Domain=example.com", from: "http://www.example.com/", at: 3)
        try jar.set("e=5; Path=/x", from: "http://www.example.com/", at: 3)
        #expect(
            try jar.sent(to: "http://www.example.com/x/y/z") == "b=2; c=3; e=5; a=1; d=4"
        )
        #expect(jar.text == "a=1; b=2; c=3; d=4; e=5")
    }

    @Test func cookiesSetAtTheSameTimeKeepTheirOrder() throws {
        var jar = CookieJar()
        for index in 0..<50 { try jar.set("c\(index)=\(index)", from: "http://example.com/") }
        let expected = (0..<50).map { "c\($0)=\($0)" }.joined(separator: "; ")
        #expect(try jar.sent(to: "http://example.com/") == expected)
    }

    @Test func cookieReplacesOneWithSameNameDomainAndPath() throws {
        var jar = CookieJar()
        #expect(try jar.set("a=1", from: "http://www.example.com/", at: 0))
        #expect(try jar.set("b=1", from: "http://www.example.com/", at: 1))
        #expect(try jar.set("a=2", from: "http://www.example.com/", at: 2))
        // The creation time stays.
        #expect(try jar.sent(to: "http://www.example.com/") == "a=2; b=1")
        #expect(jar.count == 2)
        // These are different cookies.
        #expect(try jar.set("a=3; Path=/x", from: "http://www.example.com/", at: 3))
        #expect(try jar.set("a=4; Domain=www.example.com", from: "http://www.example.com/", at: 4))
        #expect(try jar.set("A=5", from: "http://www.example.com/", at: 5))
        #expect(jar.count == 5)
        #expect(try jar.sent(to: "http://www.example.com/") == "a=2; b=1; a=4; A=5")
        // Setting the same cookie again isn't a change.
        #expect(try !jar.set("a=2", from: "http://www.example.com/", at: 6))
    }

    @Test func namesAreComparedByBytes() throws {
        var jar = CookieJar()
        try jar.set("\u{e9}=1", from: "http://example.com/")
        try jar.set("e\u{301}=2", from: "http://example.com/")
        #expect(jar.count == 2)
        #expect(try jar.set("x=\u{e9}", from: "http://example.com/"))
        #expect(try jar.set("x=e\u{301}", from: "http://example.com/"))
    }

    @Test func cookieExpires() throws {
        var jar = CookieJar()
        try jar.set("a=1; Max-Age=10", from: "http://example.com/", at: 0)
        try jar.set("b=2", from: "http://example.com/", at: 0)
        #expect(try jar.sent(to: "http://example.com/", at: 9.9) == "a=1; b=2")
        #expect(try jar.sent(to: "http://example.com/", at: 10) == "b=2")
        #expect(jar.count == 1)
    }

    @Test func expiredCookieRemovesTheStoredOne() throws {
        var jar = CookieJar()
        try jar.set("a=1", from: "http://example.com/")
        #expect(try !jar.set("b=; Max-Age=0", from: "http://example.com/"))
        #expect(try !jar.set("a=; Max-Age=0; Path=/x", from: "http://example.com/"))
        #expect(jar.count == 1)
        #expect(
            try jar.set("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: "http://example.com/")
        )
        #expect(jar.count == 0)
        #expect(jar.sites.isEmpty)
    }

    @Test func secureCookieIsSentOnlyOverSecureConnections() throws {
        var jar = CookieJar()
        try jar.set("a=1; Secure", from: "https://127.0.0.1/")
        try jar.set("a=1; Secure", from: "https://localhost/")
        #expect(try jar.sent(to: "https://127.0.0.1:8443/") == "a=1")
        #expect(try jar.sent(to: "wss://127.0.0.1/") == "a=1")
        for url in [
            "http://127.0.0.1/", "ws://127.0.0.1/", "http://localhost/", "ftp://localhost/",
        ] {
            #expect(try jar.sent(to: url) == "")
        }
    }

    @Test func insecureOriginSetsNoSecureCookie() throws {
        var jar = CookieJar()
        #expect(try !jar.set("a=1; Secure", from: "http://example.com/"))
        #expect(try jar.set("a=1; Secure", from: "https://example.com/"))
        #expect(try jar.set("a=2; Secure", from: "wss://example.com/"))
    }

    /// Insecure origins can't hide secure cookies ("Leave Secure Cookies Alone").
    @Test(arguments: [
        ("a=2", "http://www.example.com/login/x", false),
        ("a=2; Path=/login", "http://www.example.com/", false),
        ("a=2; Path=/login/en", "http://www.example.com/", false),
        ("a=; Path=/login; Max-Age=0", "http://www.example.com/", false),
        ("a=2; Path=/login; Domain=example.com", "http://www.example.com/", false),
        ("a=2; Path=/login", "http://example.com/", false),
        ("a=2; Path=/login", "http://x.www.example.com/", false),
        // Another name, path or host, or a secure connection.
        ("b=2; Path=/login", "http://www.example.com/", true),
        ("A=2; Path=/login", "http://www.example.com/", true),
        ("a=2; Path=/", "http://www.example.com/", true),
        ("a=2; Path=/logins", "http://www.example.com/", true),
        ("a=2; Path=/login", "http://other.example.com/", true),
        ("a=2; Path=/login", "https://www.example.com/", true),
    ])
    func insecureOriginShadowsNoSecureCookie(field: String, url: String, isSet: Bool) throws {
        var jar = CookieJar()
        try jar.set("a=1; Secure; Path=/login", from: "https://www.example.com/")
        #expect(try jar.set(field, from: url) == isSet)
        let first = url.hasPrefix("https") ? "a=2" : "a=1"
        #expect(try jar.sent(to: "https://www.example.com/login/en").hasPrefix(first))
    }

    @Test func expiredSecureCookieProtectsNothing() throws {
        var jar = CookieJar()
        try jar.set("a=1; Secure; Max-Age=1", from: "https://example.com/", at: 0)
        #expect(try jar.set("a=2", from: "http://example.com/", at: 2))
    }

    @Test func responseSetsNoCookieForAnotherHost() throws {
        var jar = CookieJar()
        let cookies = [".example.com", "www.example.com", ".com", "example.org", ".example.org"]
        let origin = try #require(URL(string: "https://example.com/"))
        let set = cookies.filter { domain in
            let cookie = HTTPCookie(properties: [
                .name: "a", .value: "b", .path: "/", .domain: domain,
            ])
            guard let cookie, let stored = StoredCookie(cookie, now: Date(at: 0)) else {
                return false
            }
            return jar.set(stored, from: CookieOrigin(origin))
        }
        #expect(set == [".example.com"])
    }

    @Test func cookieWithPortsIsSentOnlyToThem() throws {
        var jar = CookieJar()
        try jar.set("a=1; Version=1; Port=\"80,8080\"", from: "http://example.com/")
        #expect(try jar.sent(to: "http://example.com/") == "a=1")
        #expect(try jar.sent(to: "http://example.com:8080/") == "a=1")
        #expect(try jar.sent(to: "http://example.com:8081/") == "")
        #expect(try jar.sent(to: "https://example.com/") == "")
    }

    @Test func crossSiteRequestsGetNoSameSiteCookies() throws {
        var jar = CookieJar()
        for policy in ["Strict", "Lax", "None"] {
            try jar.set("\(policy)=1; SameSite=\(policy)", from: "https://example.com/")
        }
        try jar.set("x=1", from: "https://example.com/")
        #expect(
            try jar.sent(to: "https://example.com/") == "Strict=1; Lax=1; None=1; x=1"
        )
        #expect(try jar.sent(to: "https://example.com/", isSameSite: false) == "None=1; x=1")
    }

    @Test func cookiesSetSinceADateAreRemoved() throws {
        var jar = CookieJar()
        for index in 0..<5 {
            try jar.set("c\(index)=1", from: "http://example.com/", at: Double(index))
        }
        // Created before that time, but set again since.
        try jar.set("c0=2", from: "http://example.com/", at: 3)
        let isChanged = jar.removeAll(since: Date(at: 3), now: Date(at: 9))
        #expect(isChanged)
        #expect(jar.text == "c1=1; c2=1")
        let isChangedAgain = jar.removeAll(since: Date(at: 3), now: Date(at: 9))
        #expect(!isChangedAgain)
    }

    @Test func invalidCookiesAreNotStored() throws {
        func stored(_ name: String, _ value: String, _ domain: String, _ path: String) -> Bool {
            let cookie = HTTPCookie(properties: [
                .name: name, .value: value, .domain: domain, .path: path,
            ])
            return cookie.flatMap { StoredCookie($0, now: Date(at: 0)) } != nil
        }
        let long = String(repeating: "x", count: 4_095)
        #expect(stored("a", long, "example.com", "/"))
        #expect(!stored("a", long + "x", "example.com", "/"))
        #expect(!stored("a", "b", "example.com", "/" + long))
        #expect(!stored("a", "b", ".co.uk", "/"))
        #expect(stored("a", "b", "co.uk", "/"))
        #expect(!stored("a", "b", ".", "/"))
        #expect(stored("a", "b", ".bücher.example", "/"))
    }
}
