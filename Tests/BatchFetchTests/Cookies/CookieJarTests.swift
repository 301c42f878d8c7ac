import Testing

@testable import BatchFetch

/// Which cookies a run accepts, keeps and sends.
@Suite struct CookieJarTests {
    private func origin(_ url: String) throws -> CookieOrigin {
        let target = try FetchTarget(url)
        return CookieOrigin(host: target.host, isSecure: target.isSecure, path: String(target.rest))
    }

    /// Sets cookies, one by one, and returns the `Cookie` field for `url`.
    private func field(
        _ url: String,
        after responses: [(String, String)],
        now: Double = 1000
    ) throws -> String? {
        var jar = CookieJar()
        for (url, field) in responses {
            let origin = try origin(url)
            guard let cookie = RunCookie(setCookie: field, from: origin, now: 1000) else {
                continue
            }
            jar.set(cookie, isSecure: origin.isSecure, now: 1000)
        }
        return jar.field(for: try origin(url), now: now)
    }

    @Test("Longer paths come first, then older cookies")
    func orderOfTheField() throws {
        let responses = ["a=1", "b=2; Path=/x/y", "c=3; Path=/x", "a=4", "d=5; Path=/z"].map {
            ("http://h.test/x/f", $0)
        }
        #expect(try field("http://h.test/x/y/z", after: responses) == "b=2; a=4; c=3")
    }

    @Test(
        "A cookie belongs to the host that set it, or to its domain",
        arguments: [
            ("a=1", "http://www.example.com/", true), ("a=1", "http://example.com/", false),
            ("a=1", "http://b.www.example.com/", false),
            ("a=1", "http://www.example.com:81/", true),
            ("a=1; Domain=example.com", "http://example.com/", true),
            ("a=1; Domain=.EXAMPLE.com", "http://b.example.com/", true),
            ("a=1; Domain=example.com", "http://badexample.com/", false),
            ("a=1; Domain=other.com", "http://www.example.com/", false),
            ("a=1; Domain=b.www.example.com", "http://www.example.com/", false),
            ("a=1; Domain=com", "http://www.example.com/", false),
            ("a=1; Domain=", "http://www.example.com/", true),
        ]
    )
    func scopeOfDomains(cookie: String, url: String, isSent: Bool) throws {
        let value = try field(url, after: [("http://www.example.com/", cookie)])
        #expect((value == "a=1") == isSent)
    }

    @Test("A public suffix sets cookies only for itself, and an address has no domain")
    func publicSuffixesSetCookiesForThemselves() throws {
        let suffix = ("http://github.io/", "a=1; Domain=github.io")
        #expect(try field("http://github.io/", after: [suffix]) == "a=1")
        #expect(try field("http://x.github.io/", after: [suffix]) == nil)
        let below = ("http://x.github.io/", "a=1; Domain=github.io")
        #expect(try field("http://y.github.io/", after: [below]) == nil)
        let address = ("http://127.0.0.1/", "a=1; Domain=0.0.1")
        #expect(try field("http://127.0.0.1/", after: [address]) == nil)
        let own = ("http://127.0.0.1/", "a=1; Domain=127.0.0.1")
        #expect(try field("http://127.1/", after: [own]) == "a=1")
    }

    @Test("Secure cookies need TLS, and http can't replace or hide them")
    func secureCookiesNeedTLS() throws {
        let (clear, secure) = ("http://h.test/", "https://h.test/")
        #expect(try field(secure, after: [(clear, "a=1; Secure")]) == nil)
        #expect(try field(clear, after: [(secure, "a=1; Secure")]) == nil)
        let both = [(secure, "a=1; Secure"), (clear, "a=2")]
        #expect(try field(secure, after: both) == "a=1")
        #expect(try field(clear, after: both) == nil)
        #expect(try field(secure, after: [(secure, "__Host-a=1; Secure; Path=/")]) == "__Host-a=1")
        #expect(try field(secure, after: [(secure, "__Host-a=1; Secure")]) == nil)
        #expect(try field(secure, after: [(secure, "__Secure-a=1")]) == nil)
    }

    @Test("Cookies expire, and an expired one removes the one before")
    func cookiesExpire() throws {
        let url = "http://h.test/"
        let cookie = [(url, "a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT")]
        #expect(try field(url, after: cookie, now: 1009) == "a=1")
        #expect(try field(url, after: cookie, now: 1010) == nil)
        #expect(try field(url, after: [(url, "a=1"), (url, "a=; Max-Age=0")]) == nil)
        let past = "a=; Expires=Thu, 01 Jan 1970 00:00:01 GMT"
        #expect(try field(url, after: [(url, "a=1"), (url, past)]) == nil)
    }

    @Test("A site keeps its newest cookies, and the jar the sites that were used last")
    func numberIsLimited() throws {
        let url = "http://h.test/"
        let many = (0...CookieJar.maximumPerSite).map { (url, "c\($0)=1") }
        let value = try #require(try field(url, after: many))
        #expect(value.split(separator: ";").count == CookieJar.maximumPerSite)
        #expect(value.hasPrefix("c1=1;"))
        var jar = CookieJar()
        func set(_ number: Int) throws {
            let origin = try origin("http://h\(number).example/")
            let cookie = try #require(RunCookie(setCookie: "a=1", from: origin, now: 0))
            jar.set(cookie, isSecure: false, now: 0)
        }
        for number in 0..<CookieJar.maximum { try set(number) }
        #expect(jar.count == CookieJar.maximum)
        let first = try origin("http://h0.example/")
        #expect(jar.field(for: first, now: 0) == "a=1")
        try set(CookieJar.maximum)
        #expect(jar.count == CookieJar.maximum / 10 * 9 && jar.all.count == jar.count)
        #expect(jar.field(for: first, now: 0) == "a=1", "it was used")
        #expect(jar.field(for: try origin("http://h1.example/"), now: 0) == nil)
    }
}
