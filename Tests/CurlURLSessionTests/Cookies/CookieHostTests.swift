import Foundation
import Testing

@testable import CurlURLSession

/// Tests RFC 6265bis, 5.1.2 and 5.1.3.
struct CookieHostTests {
    @Test(arguments: [
        ("www.example.com", "www.example.com"), ("WWW.Example.COM", "www.example.com"),
        ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "xn--bcher-kva.example"), ("::1", "::1"),
        ("example.com.", "example.com."), ("", nil), ("bücher/example", nil),
        ("a@bücher.example", nil), ("bücher.example:80", nil), ("bücher.example?", nil),
        // Characters that are equivalent to these.
        ("bücher／example", nil), ("bücher：80", nil), ("ü%2e", nil),
    ])
    func hostIsLowercaseASCII(text: String, name: String?) {
        #expect(CookieHost(text)?.name == name)
    }

    @Test(arguments: [
        ("http://WWW.Example.com/", "www.example.com"),
        ("https://[2001:DB8::1]:8080/", "2001:db8::1"),
        ("http://bücher.example/", "xn--bcher-kva.example"), ("file:///a", nil),
        ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"),
        ("http://%65xample%2Ecom/", "example.com"),
        ("data:text/plain,a", nil), ("/a", nil),
    ])
    func hostIsReadFromAURL(text: String, name: String?) throws {
        #expect(CookieHost(try #require(URL(string: text)))?.name == name)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("10.1", true), ("1", true), ("0x7f.1", true), ("1.0x1", true),
        ("127.0.0.1.", true), ("::1", true), ("a.0x", true), ("1.example", false), ("a.1b", false),
        ("a.0xg", false), ("example.com", false), ("1e1", false),
    ])
    func hostThatEndsInANumberIsAnAddress(text: String, isAddress: Bool) {
        #expect(CookieHost(text)?.isAddress == isAddress)
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("www.example.com", "example.com", true),
        ("a.b.example.com", "example.com", true), ("example.com", "www.example.com", false),
        ("badexample.com", "example.com", false), ("example.org", "example.com", false),
        ("example.com.", "example.com", false), ("www.example.com.", "example.com.", true),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false),
        ("127.0.0.1", "1", false), ("a.1", "1", false), ("::1", "::1", true),
        ("xn--bcher-kva.example", "bücher.example", true),
    ])
    func hostIsWithinItsParentDomains(host: String, domain: String, isWithin: Bool) throws {
        let domain = try #require(CookieHost(domain))
        #expect(CookieHost(host)?.isWithin(domain) == isWithin)
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("example.com", "example.com"), ("com", "com"),
        ("a.b.github.io", "b.github.io"), ("www.example.com.", "example.com."), ("com.", "com."),
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("localhost", "localhost"),
    ])
    func siteIsTheRegistrableDomain(host: String, site: Substring) {
        #expect(CookieHost(host)?.site == site)
    }

    /// Otherwise a jar wouldn't find the cookies of such a host.
    @Test(arguments: ["a..com", "..", ".com", "a..", "-", "a_b.c", "%41.com", "x.127.0.0.1.com"])
    func siteIsAlwaysASuffixOfTheHost(host: String) throws {
        let host = try #require(CookieHost(host))
        #expect(!host.site.isEmpty)
        let labels = host.name.split(separator: ".", omittingEmptySubsequences: false)
        #expect(labels.indices.contains { labels[$0...].joined(separator: ".") == host.site })
    }

    @Test(arguments: [
        ("com", true), ("com.", true), ("github.io.", true), ("example.com.", false),
        ("127.0.0.1", false), ("::1", false), ("1", false),
    ])
    func trailingDotHidesNoPublicSuffix(host: String, isOne: Bool) {
        #expect(CookieHost(host)?.isPublicSuffix == isOne)
    }
}
