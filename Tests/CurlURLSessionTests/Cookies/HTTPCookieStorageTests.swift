import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

struct HTTPCookieStorageTests {
    private let storage = HTTPCookieStorage()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func cookie(
        _ name: String,
        domain: String = "example.com",
        path: String = "/"
    ) throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [.name: name, .value: "v", .path: path, .domain: domain])
        )
    }

    private func receive(
        _ fields: [String],
        from text: String,
        document: String? = nil
    ) throws {
        let document = try document.map { try url($0) }
        storage.store(setCookieValues: fields, from: try url(text), mainDocumentURL: document)
    }

    private func sent(to text: String, document: String? = nil) throws -> String? {
        let document = try document.map { try url($0) }
        return storage.fieldValue(for: try url(text), mainDocumentURL: document)
    }

    @Test func emptyStorageReturnsNoCookies() throws {
        #expect(storage.cookies == [])
        #expect(storage.cookies(for: try url("http://example.com/")) == [])
        #expect(storage.cookies(for: try url("data:,a")) == nil)
        #expect(storage.isEmptyForSure)
        #expect(try sent(to: "http://example.com/") == nil)
        #expect(storage.sortedCookies(using: []) == [])
        #expect(storage.description == "<NSHTTPCookieStorage cookies count:0>")
    }

    @Test("The description of an ephemeral configuration's storage says that it is ephemeral")
    func ephemeralStorageIsDescribedAsSuch() throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        storage.setCookie(try cookie("a"))
        #expect(storage.description == "Ephemeral<NSHTTPCookieStorage cookies count:1>")
    }

    @Test func cookiesAreSetFoundAndDeleted() throws {
        storage.setCookie(try cookie("a"))
        storage.setCookie(try cookie("b", path: "/x"))
        storage.setCookie(try cookie("c", domain: ".example.com"))
        #expect(!storage.isEmptyForSure)
        #expect(storage.cookies?.map(\.name) == ["a", "b", "c"])
        #expect(
            storage.cookies(for: try url("http://example.com/x"))?.map(\.name) == ["b", "a", "c"]
        )
        #expect(storage.cookies(for: try url("http://www.example.com/"))?.map(\.name) == ["c"])
        #expect(storage.description == "<NSHTTPCookieStorage cookies count:3>")
        // Cookies are deleted by name, domain and path, whatever the value.
        let other = HTTPCookie(properties: [
            .name: "a", .value: "other", .path: "/", .domain: "example.com",
        ])
        storage.deleteCookie(try #require(other))
        storage.deleteCookie(try cookie("b"))
        #expect(storage.cookies?.map(\.name) == ["b", "c"])
        storage.removeCookies(since: .distantPast)
        #expect(storage.isEmptyForSure)
    }

    @Test func theCookiesThatWereSetAreReturned() throws {
        let cookie = try cookie("a")
        storage.setCookie(cookie)
        #expect(storage.cookies?.first === cookie)
        #expect(storage.cookies(for: try url("http://example.com/"))?.first === cookie)
    }

    @Test("D2: Cookies obey their Secure and Path attributes")
    func secureAndPathAttributesAreObeyed() throws {
        try receive(["sec=1; Secure; Path=/only"], from: "https://127.0.0.1/")
        #expect(try sent(to: "http://127.0.0.1/elsewhere") == nil)
        #expect(try sent(to: "https://127.0.0.1/elsewhere") == nil)
        #expect(try sent(to: "http://127.0.0.1/only") == nil)
        #expect(try sent(to: "https://127.0.0.1/only/this") == "sec=1")
        // An unencrypted response can't set it either.
        try receive(["plain=1; Secure"], from: "http://127.0.0.1/")
        #expect(storage.cookies?.count == 1)
    }

    @Test("D3: Cookies for public suffixes, and third-party ones by policy, are refused")
    func publicSuffixAndThirdPartyCookiesAreRefused() throws {
        try receive(
            ["a=1; Domain=co.uk", "b=2; Domain=uk", "c=3; Domain=example.co.uk"],
            from: "https://www.example.co.uk/"
        )
        storage.setCookie(try cookie("d", domain: ".co.uk"))
        storage.setCookies(
            [try cookie("e", domain: ".github.io")],
            for: try url("https://a.github.io/"),
            mainDocumentURL: nil
        )
        #expect(storage.cookies?.map(\.name) == ["c"])
        storage.cookieAcceptPolicy = .onlyFromMainDocumentDomain
        try receive(["f=1"], from: "https://a.com/", document: "https://b.com/")
        try receive(["g=1"], from: "https://a.github.io/", document: "https://b.github.io/")
        try receive(["h=1"], from: "https://a.com/", document: "file:///page")
        #expect(storage.cookies?.map(\.name) == ["c"])
        try receive(["i=1"], from: "https://img.a.com/", document: "https://www.a.com/")
        // Without a main document, the request is for the document itself.
        try receive(["j=1"], from: "https://b.com/")
        #expect(storage.cookies?.map(\.name) == ["c", "i", "j"])
    }

    @Test("D4: Cookies aren't persisted unless the program asks for it")
    func cookiesAreNotPersistedByDefault() {
        #expect(HTTPCookieStorage.shared.contents.update == nil)
        #expect(storage.contents.update == nil)
        let group = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "D4")
        #expect(group.contents.update == nil)
    }

    @Test func policyNeverAcceptsNoCookies() throws {
        #expect(storage.cookieAcceptPolicy == .always)
        storage.setCookie(try cookie("a"))
        storage.cookieAcceptPolicy = .never
        storage.setCookie(try cookie("b"))
        try receive(["c=1"], from: "http://example.com/")
        storage.setCookies(
            [try cookie("d")],
            for: try url("http://example.com/"),
            mainDocumentURL: nil
        )
        // Existing cookies are still sent.
        #expect(try sent(to: "http://example.com/") == "a=v")
        storage.cookieAcceptPolicy = .always
        try receive(["c=1"], from: "http://example.com/", document: "http://other.org/")
        #expect(try sent(to: "http://example.com/") == "a=v; c=1")
    }

    @Test func responseSetsCookiesOfItsOwnHosts() throws {
        let cookies = try [
            cookie("a"), cookie("b", domain: ".example.com"), cookie("c", domain: "example.org"),
        ]
        storage.setCookies(cookies, for: nil, mainDocumentURL: nil)
        storage.setCookies(cookies, for: try url("data:,a"), mainDocumentURL: nil)
        #expect(storage.isEmptyForSure)
        storage.setCookies(cookies, for: try url("http://www.example.com/"), mainDocumentURL: nil)
        #expect(storage.cookies?.map(\.name) == ["b"])
        storage.setCookies(cookies, for: try url("http://example.com/"), mainDocumentURL: nil)
        #expect(storage.cookies?.map(\.name) == ["b", "a"])
    }

    @Test func cookieFieldKeepsTheOrder() throws {
        try receive(
            ["a=1", "b=2; Path=/x", "3", "d=\"4\"; Domain=example.com"],
            from: "http://example.com/"
        )
        #expect(try sent(to: "http://example.com/x") == "b=2; a=1; 3; d=\"4\"")
        #expect(try sent(to: "http://www.example.com/x") == "d=\"4\"")
        #expect(try sent(to: "http://example.org/") == nil)
        // One of several cookies is removed.
        try receive(["a=; Max-Age=0", "e=5"], from: "http://example.com/")
        #expect(try sent(to: "http://example.com/") == "3; d=\"4\"; e=5")
    }

    @Test func crossSiteDocumentsGetNoSameSiteCookies() throws {
        try receive(["a=1; SameSite=Lax", "b=2"], from: "https://example.com/")
        #expect(try sent(to: "https://example.com/") == "a=1; b=2")
        #expect(
            try sent(to: "https://example.com/", document: "https://www.example.com/") == "a=1; b=2"
        )
        #expect(try sent(to: "https://example.com/", document: "https://example.org/") == "b=2")
    }

    @Test func cookiesAreSorted() throws {
        for (name, path) in [("b", "/x"), ("a", "/x"), ("a", "/")] {
            storage.setCookie(try cookie(name, path: path))
        }
        let name = NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: true)
        let path = NSSortDescriptor(keyPath: \HTTPCookie.path, ascending: false)
        let sorted = { (order: [NSSortDescriptor]) in
            self.storage.sortedCookies(using: order).map { $0.name + $0.path }
        }
        #expect(sorted([name, path]) == ["a/x", "a/", "b/x"])
        #expect(sorted([path, name]) == ["a/x", "b/x", "a/"])
        #expect(sorted([name]) == ["a/x", "a/", "b/x"])
        #expect(sorted([]) == ["b/x", "a/x", "a/"])
    }

    @Test func equalIdentifiersShareAStorage() throws {
        #expect(HTTPCookieStorage.shared === HTTPCookieStorage.shared)
        let group = { HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: $0) }
        #expect(group("one") === group("one"))
        #expect(group("one") !== group("two"))
        #expect(group("one") !== HTTPCookieStorage.shared)
    }

    @Test func anyThreadCanUseIt() throws {
        let storage = storage
        let cookies = try (0..<100).map { try cookie("c\($0)") }
        let url = try url("http://example.com/")
        DispatchQueue.concurrentPerform(iterations: 100) { index in
            storage.setCookie(cookies[index])
            _ = storage.fieldValue(for: url, mainDocumentURL: nil)
            storage.store(setCookieValues: ["r\(index)=1"], from: url, mainDocumentURL: nil)
            if index.isMultiple(of: 2) { storage.deleteCookie(cookies[index]) }
        }
        #expect(storage.cookies?.count == 150)
        #expect(storage.cookies(for: url)?.count == 150)
    }
}
