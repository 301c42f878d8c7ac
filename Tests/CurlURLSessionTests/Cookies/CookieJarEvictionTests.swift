import Foundation
import Testing

@testable import CurlURLSession

/// Tests the removal of excess cookies (RFC 6265bis, 5.7).
struct CookieJarEvictionTests {
    private let url = "https://www.example.com/"

    private func filledSite() throws -> CookieJar {
        var jar = CookieJar()
        for index in 0..<CookieJar.maximumPerSite {
            // Several hosts of one site.
            let host = "https://h\(index % 3).example.com/"
            try jar.set("c\(index)=1; Secure; Domain=example.com", from: host, at: Double(index))
        }
        return jar
    }

    @Test func cookiesPerSiteAreLimited() throws {
        var jar = try filledSite()
        #expect(jar.count == CookieJar.maximumPerSite)
        try jar.set("new=1; Secure", from: url, at: 1_000)
        #expect(jar.count == CookieJar.maximumPerSite)
        // The least recently used cookie has been removed.
        #expect(!jar.text.contains("c0=1"))
        #expect(jar.text.contains("c1=1;"))
        #expect(jar.text.contains("new=1"))
    }

    @Test func usedCookiesAreKept() throws {
        var jar = CookieJar()
        try jar.set("old=1; Path=/used", from: url, at: 0)
        for index in 0..<CookieJar.maximumPerSite - 1 {
            try jar.set("c\(index)=1; Path=/other", from: url, at: Double(index + 1))
        }
        _ = try jar.sent(to: url + "used", at: 500)
        try jar.set("new=1; Path=/other", from: url, at: 501)
        #expect(jar.text.contains("old=1"))
        #expect(!jar.text.contains("c0=1"))
    }

    @Test func expiredCookiesAreEvictedFirst() throws {
        var jar = try filledSite()
        // The newest cookie, and the first one to expire.
        try jar.set("c179=1; Secure; Domain=example.com; Max-Age=10", from: url, at: 200)
        try jar.set("new=1; Secure", from: url, at: 300)
        #expect(jar.text.contains("c0=1"))
        #expect(!jar.text.contains("c179=1"))
    }

    @Test func insecureCookiesAreEvictedBeforeSecure() throws {
        var jar = try filledSite()
        try jar.set("plain=1", from: url, at: 200)
        #expect(!jar.text.contains("plain=1"))
        #expect(jar.text.contains("c0=1"))
        #expect(jar.count == CookieJar.maximumPerSite)
    }

    @Test func totalCookiesAreLimited() throws {
        var jar = CookieJar()
        for index in 0..<CookieJar.maximum {
            try jar.set("c=\(index)", from: "https://h\(index).com/", at: Double(index))
        }
        #expect(jar.count == CookieJar.maximum)
        _ = try jar.sent(to: "https://h0.com/", at: 5_000)
        try jar.set("c=new", from: "https://new.com/", at: 5_001)
        #expect(jar.count == CookieJar.remainder)
        #expect(try jar.sent(to: "https://h0.com/", at: 5_002) == "c=0")
        #expect(try jar.sent(to: "https://h1.com/", at: 5_002) == "")
        #expect(try jar.sent(to: "https://h301.com/", at: 5_002) == "")
        #expect(try jar.sent(to: "https://h302.com/", at: 5_002) == "c=302")
        #expect(try jar.sent(to: "https://new.com/", at: 5_002) == "c=new")
    }

    @Test func expiredCookiesAreEvictedBeforeOtherSites() throws {
        var jar = CookieJar()
        for index in 0..<CookieJar.maximum {
            let age = index.isMultiple(of: 2) ? "; Max-Age=100000" : "; Max-Age=4000"
            try jar.set("c=\(index)" + age, from: "https://h\(index).com/", at: Double(index) / 10)
        }
        try jar.set("c=new", from: "https://new.com/", at: 5_000)
        #expect(jar.count == CookieJar.maximum / 2 + 1)
        #expect(try jar.sent(to: "https://h0.com/", at: 5_001) == "c=0")
    }

    /// The owner of a domain can create any number of subdomains.
    @Test func oneSiteEvictsOnlyItsOwnCookies() throws {
        var jar = CookieJar()
        try jar.set("mine=1", from: "https://other.example/", at: 0)
        for index in 0..<CookieJar.maximum + 10 {
            try jar.set("c=1", from: "https://h\(index).evil.com/", at: Double(index + 1))
        }
        #expect(jar.count == CookieJar.maximumPerSite + 1)
        #expect(try jar.sent(to: "https://other.example/", at: 9_999) == "mine=1")
    }

    @Test func evictedCookiesAreRemovedFromTheFile() throws {
        var jar = CookieJar()
        jar.changes = CookieChanges()
        for index in 0...CookieJar.maximumPerSite {
            try jar.set("c\(index)=1; Max-Age=100000", from: url, at: Double(index))
        }
        let changes = jar.takeChanges()
        var stored = 0
        for change in changes.byKey.values {
            if case .stored = change { stored += 1 }
        }
        #expect(changes.byKey.count == CookieJar.maximumPerSite + 1)
        #expect(stored == CookieJar.maximumPerSite)
    }
}
