import Foundation
import Testing

@testable import CurlURLSession

struct HTTPCookieTests {
    private static let required: [HTTPCookiePropertyKey: String] = [
        .name: "a", .value: "b", .path: "/", .domain: "Example.COM",
    ]

    private func made(with more: [HTTPCookiePropertyKey: Any] = [:]) -> HTTPCookie? {
        HTTPCookie(properties: (Self.required as [HTTPCookiePropertyKey: Any]).merging(more) { $1 })
    }

    @Test func cookieHasRequiredPropertiesAndDefaults() throws {
        let cookie = try #require(made())
        #expect(cookie.name == "a")
        #expect(cookie.value == "b")
        #expect(cookie.path == "/")
        #expect(cookie.domain == "example.com")
        #expect(cookie.version == 0)
        #expect(cookie.expiresDate == nil)
        #expect(cookie.isSessionOnly)
        #expect(!cookie.isSecure)
        #expect(!cookie.isHTTPOnly)
        #expect(cookie.sameSitePolicy == nil)
        #expect(cookie.comment == nil)
        #expect(cookie.commentURL == nil)
        #expect(cookie.portList == nil)
    }

    @Test(arguments: [
        HTTPCookiePropertyKey.name, .value, .path, .domain,
    ])
    func missingRequiredPropertyMakesNoCookie(key: HTTPCookiePropertyKey) {
        var properties: [HTTPCookiePropertyKey: Any] = Self.required
        properties[key] = nil
        #expect(HTTPCookie(properties: properties) == nil)
    }

    @Test func domainCanComeFromAURL() throws {
        var properties: [HTTPCookiePropertyKey: Any] = Self.required
        properties[.domain] = nil
        let url = try #require(URL(string: "http://WWW.example.com/x"))
        for origin in [url as Any, url.absoluteString] {
            properties[.originURL] = origin
            #expect(HTTPCookie(properties: properties)?.domain == "www.example.com")
        }
        properties[.originURL] = "http://bücher.example/"
        #expect(HTTPCookie(properties: properties)?.domain == "xn--bcher-kva.example")
        properties[.domain] = ".example.com"
        #expect(HTTPCookie(properties: properties)?.domain == ".example.com")
    }

    @Test(arguments: [
        ("a;b", "c"), ("a=b", "c"), ("a", "b;c"), ("a\r\nX", "b"), ("a", "b\nX: y"), ("a", "b\0"),
        ("", ""), ("", "a=b"), ("a=\u{301}", "b"), ("a", "b;\u{301}c=d"), ("", "a=\u{301}"),
    ])
    func unsendableValuesMakeNoCookie(name: String, value: String) {
        #expect(made(with: [.name: name, .value: value]) == nil)
    }

    @Test func everyPropertyIsRead() throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        let cookie = try #require(
            made(with: [
                .version: "1", .secure: "TRUE", .expires: date, .comment: "c",
                .commentURL: "http://example.com/c", .discard: "TRUE", .port: "80,443",
                .sameSitePolicy: HTTPCookieStringPolicy.sameSiteStrict,
                HTTPCookiePropertyKey("HttpOnly"): "TRUE",
                HTTPCookiePropertyKey("Unknown"): "x",
            ])
        )
        #expect(cookie.version == 1)
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.expiresDate == date)
        #expect(cookie.isSessionOnly)
        #expect(cookie.comment == "c")
        #expect(cookie.commentURL?.absoluteString == "http://example.com/c")
        #expect(cookie.portList == [80, 443])
        #expect(cookie.sameSitePolicy == .sameSiteStrict)
    }

    @Test func propertiesCanHaveOtherTypes() throws {
        #expect(made(with: [.secure: true])?.isSecure == true)
        #expect(made(with: [.secure: false])?.isSecure == false)
        #expect(made(with: [.secure: ""])?.isSecure == false)
        #expect(made(with: [.version: 1])?.version == 1)
        #expect(made(with: [.version: "2"])?.version == 0)
        #expect(made(with: [.port: "80,443"])?.portList == [80])
        #expect(made(with: [.sameSitePolicy: "LAX"])?.sameSitePolicy == .sameSiteLax)
        #expect(made(with: [.sameSitePolicy: "None"])?.sameSitePolicy == nil)
        let date = made(with: [.expires: "Sun, 06 Nov 1994 08:49:37 GMT"])?.expiresDate
        #expect(date == Date(timeIntervalSince1970: 784_111_777))
        #expect(made(with: [.expires: 5])?.expiresDate == nil)
        #expect(made(with: [.name: 5]) == nil)
        #expect(made(with: [.comment: 5]) != nil)
    }

    @Test func maximumAgeCountsFromNow() throws {
        let before = Date()
        let cookies = [
            made(with: [.maximumAge: "60", .version: "1"]),
            made(with: [.maximumAge: 60, .version: 1, .expires: before]),
        ]
        let after = Date()
        for cookie in cookies {
            let date = try #require(cookie?.expiresDate)
            #expect(date >= before + 60)
            #expect(date <= after + 60)
            #expect(cookie?.isSessionOnly == false)
        }
    }

    @Test("A maximum age doesn't expire a cookie of version 0")
    func maximumAgeDoesNotCountForVersion0() {
        let date = Date(timeIntervalSince1970: 784_111_777)
        for more: [HTTPCookiePropertyKey: Any] in [
            [.maximumAge: "60"], [.maximumAge: 60, .version: "0"], [.maximumAge: 0],
            [.maximumAge: "60", .expires: date],
        ] {
            let cookie = made(with: more)
            #expect(cookie?.version == 0)
            #expect(cookie?.expiresDate == nil)
            #expect(cookie?.isSessionOnly == true)
        }
        #expect(made(with: [.maximumAge: "x", .expires: date])?.expiresDate == date)
    }

    @Test func cookieCanBeRecreatedFromItsProperties() throws {
        let url = try #require(URL(string: "https://www.example.com/"))
        let fields = [
            "a=b", "a=b; Secure; HttpOnly; SameSite=None; Domain=example.com; Path=/x",
            "a=b; Max-Age=60; Discard", "=b; Max-Age=0", "a=b; Expires=06 Nov 1994 08:49:37",
            "a=b; Version=1; Port=1,2; Comment=c; CommentURL=http://h/",
        ]
        for cookie in HTTPCookie.cookies(fields, for: url) {
            let properties = try #require(cookie.properties)
            let again = try #require(HTTPCookie(properties: properties))
            #expect(again == cookie)
            #expect(again.hash == cookie.hash)
        }
        #expect(HTTPCookie.cookies(fields, for: url).count == fields.count)
    }

    @Test func cookiesAreEqualWithEqualAttributes() {
        #expect(made() == made())
        #expect(made() != made(with: [.value: "c"]))
        #expect(made() != made(with: [.secure: "TRUE"]))
        #expect(made()?.isEqual("a=b") == false)
    }

    @Test(arguments: ["Set-Cookie", "set-cookie", "SET-COOKIE"])
    func cookieFieldNameIsCaseInsensitive(name: String) throws {
        let url = try #require(URL(string: "http://www.example.com/"))
        let cookies = HTTPCookie.cookies(
            withResponseHeaderFields: [
                name: "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Domain=example.org, c=3",
                "Content-Type": "d=4",
            ],
            for: url
        )
        #expect(cookies.map(\.name) == ["a", "c"])
        #expect(cookies.map(\.value) == ["1", "3"])
        #expect(cookies.first?.expiresDate != nil)
        #expect(HTTPCookie.cookies(withResponseHeaderFields: [:], for: url).isEmpty)
    }

    @Test("A comma and a line end separate two cookies")
    func cookiesAreSeparatedByALineEnd() throws {
        let url = try #require(URL(string: "http://www.example.com/"))
        let cookies = HTTPCookie.cookies(
            withResponseHeaderFields: ["Set-Cookie": "a=1,\nb=2"],
            for: url
        )
        #expect(cookies.map(\.name) == ["a", "b"])
        #expect(cookies.map(\.value) == ["1", "2"])
    }

    @Test func cookiesAreSentInOneField() throws {
        let url = try #require(URL(string: "http://www.example.com/"))
        let cookies = HTTPCookie.cookies(["a=1", "b=\"2\"; Path=/x", "3", "c="], for: url)
        #expect(HTTPCookie.requestHeaderFields(with: cookies) == ["Cookie": "a=1; b=\"2\"; 3; c="])
        #expect(HTTPCookie.requestHeaderFields(with: []) == [:])
    }

    @Test func descriptionHasTheAttributes() throws {
        let text = try #require(made(with: [.secure: "TRUE"])).description
        #expect(text.contains("name:\"a\" value:\"b\""))
        #expect(text.contains("domain:\"example.com\" path:\"/\" isSecure:true"))
    }

    @Test func policiesHaveFoundationsNumbers() {
        #expect(HTTPCookie.AcceptPolicy.always.rawValue == 0)
        #expect(HTTPCookie.AcceptPolicy.never.rawValue == 1)
        #expect(HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain.rawValue == 2)
        #expect(HTTPCookiePropertyKey("Name") == .name)
        #expect(HTTPCookiePropertyKey(rawValue: "Max-Age") == .maximumAge)
    }
}
