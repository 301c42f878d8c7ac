import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct CacheRulesTests {
    private func isStored(
        _ fields: [(String, String)],
        status: Int = 200,
        request: [(String, String)] = [],
        method: String = "GET"
    ) throws -> Bool {
        CacheRules.mayStore(
            try CacheSamples.response(fields, status: status),
            for: CacheableRequest(
                try CacheSamples.request("http://example.com/a", request, method: method)
            )
        )
    }

    @Test func responseToGETIsStoredUnlessForbidden() throws {
        #expect(try isStored([]))
        for text in ["max-age=1", "private", "private=\"x\"", "no-cache", "must-revalidate", "x"] {
            #expect(try isStored([("Cache-Control", text)]), "\(text)")
        }
        for text in ["no-store", "No-Store", "max-age=1, no-store", "no-store=x"] {
            #expect(try !isStored([("Cache-Control", text)]), "\(text)")
        }
        #expect(try !isStored([("Cache-Control", "max-age=1"), ("Cache-Control", "no-store")]))
        #expect(try isStored([("Vary", "Accept"), ("Set-Cookie", "a=b"), ("Pragma", "no-cache")]))
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "get2", "PROPFIND"])
    func responseToOtherMethodsIsNotStored(method: String) throws {
        #expect(try !isStored([("Cache-Control", "max-age=100, public")], method: method))
    }

    @Test func requestCanForbidStoring() throws {
        #expect(try !isStored([], request: [("Cache-Control", "no-store")]))
        #expect(try isStored([], request: [("Cache-Control", "no-cache, max-age=0")]))
        #expect(try isStored([], request: [("Authorization", "Bearer a")]))
        var request = try CacheSamples.request()
        request.httpBody = Data([1])
        let response = try CacheSamples.response()
        #expect(!CacheRules.mayStore(response, for: CacheableRequest(request)))
        request.httpBody = Data()
        #expect(CacheRules.mayStore(response, for: CacheableRequest(request)))
        request.httpBodyStream = InputStream(data: Data([1]))
        #expect(!CacheRules.mayStore(response, for: CacheableRequest(request)))
    }

    @Test func partialResponseIsNotStored() throws {
        let fresh = [("Cache-Control", "max-age=100")]
        #expect(try !isStored(fresh, status: 206))
        #expect(try !isStored(fresh, status: 206, request: [("Range", "bytes=0-1")]))
        // A 416 isn't stored either: it doesn't describe the whole resource.
        #expect(try !isStored(fresh, status: 416, request: [("Range", "bytes=9-")]))
        #expect(try isStored(fresh, status: 200, request: [("Range", "bytes=0-1")]))
    }

    @Test(arguments: [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ])
    func fullResponseToConditionalRequestIsStored(name: String) throws {
        let fresh = [("Cache-Control", "max-age=100")]
        #expect(try !isStored(fresh, status: 412, request: [(name, "x")]))
        #expect(try !isStored(fresh, status: 304, request: [(name, "x")]))
        #expect(try isStored(fresh, status: 200, request: [(name, "x")]))
        let request = CacheableRequest(try CacheSamples.request("http://a/", [(name, "x")]))
        #expect(!request.mayBeAnswered)
    }

    @Test func responseWithoutLifetimeIsStoredForSomeStatuses() throws {
        for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
            #expect(try isStored([], status: status), "\(status)")
        }
        for status in [201, 202, 299, 302, 303, 307, 400, 401, 403, 500, 503, 599] {
            #expect(try !isStored([], status: status), "\(status)")
            #expect(try isStored([("Cache-Control", "max-age=9")], status: status), "\(status)")
            #expect(try isStored([("Expires", "x")], status: status), "\(status)")
            #expect(try !isStored([("Cache-Control", "s-maxage=9")], status: status), "\(status)")
        }
        for status in [100, 103, 199, 206, 304, 600, 999, -1, 0] {
            #expect(try !isStored([("Cache-Control", "max-age=9, public")], status: status))
        }
    }

    @Test func mustUnderstandIsObeyed() throws {
        let fields = [("Cache-Control", "max-age=9, no-store, must-understand")]
        for status in [200, 204, 301, 404, 503] {
            #expect(try isStored(fields, status: status), "\(status)")
        }
        for status in [206, 299, 304, 418, 599] {
            #expect(try !isStored(fields, status: status), "\(status)")
        }
        #expect(try !isStored([("Cache-Control", "max-age=9, must-understand")], status: 599))
    }

    @Test func connectionFieldsAreNotStored() throws {
        let fields = try CacheSamples.response([
            ("Connection", "A, b"), ("connection", "C"), ("a", "1"), ("B", "1"), ("c", "1"),
            ("d", "1"), ("D", "2"), ("Keep-Alive", "x"), ("TE", "x"), ("Upgrade", "x"),
            ("Transfer-Encoding", "x"), ("Proxy-Connection", "x"), ("Proxy-Authenticate", "x"),
            ("Proxy-Authentication-Info", "x"), ("Proxy-Authorization", "x"), ("Date", "x"),
            ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"), ("Trailer", "x"),
        ]).fields
        let stored = CacheRules.storable(fields, receivedAt: Date(timeIntervalSince1970: 0))
        #expect(
            stored.map { "\($0.name)=\($0.value)" } == [
                "d=1", "D=2", "Date=x", "Set-Cookie=a=b", "Set-Cookie=c=d", "Trailer=x",
            ]
        )
    }

    @Test func responseWithoutDateGetsItsArrivalDate() throws {
        let fields = try CacheSamples.response([("a", "1")]).fields
        let stored = CacheRules.storable(fields, receivedAt: Date(timeIntervalSince1970: 1))
        #expect(stored.last?.name == "Date")
        #expect(stored.last?.value == "Thu, 01 Jan 1970 00:00:01 GMT")
    }

    private func invalidated(
        _ fields: [(String, String)],
        status: Int = 200,
        method: String = "POST"
    ) throws -> [String] {
        CacheRules.invalidated(
            by: try CacheSamples.response(fields, status: status),
            to: CacheableRequest(
                try CacheSamples.request("http://example.com/a/b?c", method: method)
            )
        ).map(\.absoluteString)
    }

    @Test func unsafeRequestInvalidatesItsURL() throws {
        let own = "http://example.com/a/b?c"
        for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "UNHEARD-OF", "get"] {
            // Foundation uppercases the known methods.
            #expect(try invalidated([], method: method) == (method == "get" ? [] : [own]))
        }
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"] {
            #expect(try invalidated([], method: method).isEmpty)
        }
        for status in [200, 201, 204, 299, 301, 302, 399] {
            #expect(try invalidated([], status: status) == [own])
        }
        for status in [100, 400, 404, 412, 500, 503] {
            #expect(try invalidated([], status: status).isEmpty)
        }
    }

    @Test(arguments: ["Location", "Content-Location"])
    func unsafeRequestInvalidatesNamedURLsOfItsOrigin(name: String) throws {
        let own = "http://example.com/a/b?c"
        for (value, url) in [
            ("d", "http://example.com/a/d"), ("/d", "http://example.com/d"),
            ("http://example.com:80/d", "http://example.com:80/d"),
            ("HTTP://EXAMPLE.com/d", "HTTP://EXAMPLE.com/d"), ("?e", "http://example.com/a/b?e"),
        ] {
            #expect(try invalidated([(name, value)]) == [own, url])
        }
        for value in [
            "https://example.com/d", "http://example.org/d", "http://example.com:8080/d",
            "//www.example.com/d", "http://example.com.evil.org/", "http://example.com@evil.org/",
        ] {
            #expect(try invalidated([(name, value)]) == [own], "\(value)")
        }
    }

    @Test(arguments: [
        ("http://example.com/a", "http://example.com/a"),
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:80/a", "https://example.com:80/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://example.com?b", "http://example.com/?b"),
        ("http://example.com/A?B#c", "http://example.com/A?B"),
        ("http://u:p@example.com/a", "http://example.com/a"),
        ("http://[::1]:80/a", "http://[::1]/a"), ("http://[::80]/a", "http://[::80]/a"),
        ("data:,a", "data:,a"),
    ])
    func keyIsTheNormalisedURL(text: String, key: String) throws {
        #expect(CacheKey(url: try CacheSamples.url(text)).url == key)
    }

    @Test func headHasTheKeyOfGet() throws {
        let url = "http://example.com/a"
        let get = CacheKey(try CacheSamples.request(url))
        #expect(CacheKey(try CacheSamples.request(url, method: "HEAD")) == get)
        #expect(CacheKey(try CacheSamples.request(url, method: "POST")) != get)
        var request = try CacheSamples.request()
        request.url = nil
        #expect(CacheKey(request) == nil)
    }
}
