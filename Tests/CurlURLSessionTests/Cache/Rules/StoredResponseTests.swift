import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct StoredResponseTests {
    private let arrival = Date(timeIntervalSince1970: 1_767_225_600)

    private func date(_ offset: TimeInterval) -> String {
        HTTPDate.text(from: arrival.addingTimeInterval(offset))
    }

    private func stored(
        _ fields: [(String, String)],
        status: Int = 200,
        delay: TimeInterval = 0
    ) throws -> StoredResponse {
        try CacheSamples.stored(
            fields,
            status: status,
            at: arrival,
            sent: arrival.addingTimeInterval(-delay)
        )
    }

    private func age(
        _ fields: [(String, String)],
        after seconds: TimeInterval,
        delay: TimeInterval = 0
    ) throws -> TimeInterval {
        try stored(fields, delay: delay).age(at: arrival.addingTimeInterval(seconds))
    }

    @Test func ageIsTheLargerOfAgeFieldAndDate() throws {
        #expect(try age([], after: 5) == 5)
        #expect(try age([("Age", "30")], after: 5) == 35)
        #expect(try age([("Date", date(-60))], after: 5) == 65)
        #expect(try age([("Date", date(-60)), ("Age", "30")], after: 5) == 65)
        #expect(try age([("Date", date(-60)), ("Age", "90")], after: 5) == 95)
        // The response delay is added to the value of `Age` (RFC 9111, 4.2.3).
        #expect(try age([("Age", "30")], after: 5, delay: 10) == 45)
        #expect(try age([("Date", date(-60))], after: 5, delay: 10) == 65)
    }

    @Test func wrongClocksNeverReduceTheAge() throws {
        #expect(try age([("Date", date(600))], after: 5) == 5)
        #expect(try age([], after: -600) == 0)
        #expect(try age([("Age", "30")], after: -600) == 30)
        #expect(try age([], after: 5, delay: -10) == 5)
        #expect(try age([("Date", "foo")], after: 5) == 5)
    }

    @Test(arguments: [
        ("x", 0), ("-5", 0), ("5.0", 0), ("5, 9", 5), ("", 0), ("9, x", 9), ("x, 9", 0),
        ("99999999999999999999", 2_147_483_648),
    ])
    func ageIsItsFirstNumber(text: String, seconds: Double) throws {
        #expect(try age([("Age", text), ("Age", "77")], after: 0) == seconds)
    }

    @Test func lifetimeIsMaxAgeThenExpiresThenHeuristic() throws {
        let expires = ("Expires", date(100))
        let modified = ("Last-Modified", date(-1000))
        #expect(try stored([("Cache-Control", "max-age=7"), expires, modified]).lifetime == 7)
        #expect(try stored([("Cache-Control", "s-maxage=7"), expires]).lifetime == 100)
        #expect(try stored([expires, modified, ("Date", date(-10))]).lifetime == 110)
        #expect(try stored([expires, ("Date", "foo")]).lifetime == 100)
        #expect(try stored([modified]).lifetime == 100)
        #expect(try stored([modified, ("Date", date(-500))]).lifetime == 50)
        #expect(try stored([]).lifetime == 0)
    }

    @Test func unreadableExpiresHasPassed() throws {
        for text in ["0", "-1", "", "tomorrow", date(100) + ", " + date(100)] {
            #expect(try stored([("Expires", text), ("Last-Modified", date(-1000))]).lifetime == 0)
        }
        #expect(try stored([("Expires", date(100)), ("Expires", date(50))]).lifetime == 50)
        #expect(try stored([("Expires", date(100)), ("Expires", "0")]).lifetime == 0)
        #expect(try stored([("Expires", date(-100))]).lifetime == 0)
    }

    @Test func heuristicLifetimeIsAtMostADay() throws {
        #expect(try stored([("Last-Modified", date(-10_000_000))]).lifetime == 86_400)
        #expect(try stored([("Last-Modified", date(1000))]).lifetime == 0)
        #expect(try stored([("Last-Modified", "foo")]).lifetime == 0)
        let two = [("Last-Modified", date(-1000)), ("Last-Modified", date(-2000))]
        #expect(try stored(two).lifetime == 0)
    }

    @Test func heuristicLifetimeAppliesToSomeStatuses() throws {
        let modified = [("Last-Modified", date(-1000))]
        for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
            #expect(try stored(modified, status: status).lifetime == 100)
        }
        for status in [201, 302, 303, 307, 400, 401, 403, 500, 502, 503, 504, 599] {
            #expect(try stored(modified, status: status).lifetime == 0)
            let isPublic = modified + [("Cache-Control", "public")]
            #expect(try stored(isPublic, status: status).lifetime == 100)
        }
    }

    @Test func responseIsFreshUntilItsLifetimeEnds() throws {
        let response = try stored([("Cache-Control", "max-age=10")])
        #expect(response.isFresh(at: arrival))
        #expect(response.isFresh(at: arrival.addingTimeInterval(9.9)))
        #expect(!response.isFresh(at: arrival.addingTimeInterval(10)))
        #expect(response.staleness(at: arrival.addingTimeInterval(15)) == 5)
    }

    @Test func mustRevalidateResponseIsNeverServedStale() throws {
        let late = arrival.addingTimeInterval(20)
        let allowed = "max-age=10, stale-if-error=60, stale-while-revalidate=60"
        for text in ["", ", must-revalidate", ", no-cache"] {
            let response = try stored([("Cache-Control", allowed + text)])
            #expect(response.mayBeServedStale == text.isEmpty)
            #expect(
                response.mayBeServedOnError(at: late, request: CacheDirectives([]))
                    == text.isEmpty
            )
            #expect(response.mayBeServedWhileRevalidating(at: late) == text.isEmpty)
            #expect(!response.mayBeServedWhileRevalidating(at: late.addingTimeInterval(60)))
        }
        // These directives concern shared caches only.
        let proxies = try stored([("Cache-Control", "\(allowed), proxy-revalidate, s-maxage=1")])
        #expect(proxies.mayBeServedStale)
    }

    @Test func staleIfErrorLimitAppliesFromEitherSide() throws {
        let response = try stored([("Cache-Control", "max-age=10")])
        let late = arrival.addingTimeInterval(40)
        let allows = { (text: String) in
            response.mayBeServedOnError(at: late, request: CacheDirectives([text]))
        }
        #expect(allows("stale-if-error=30"))
        #expect(!allows("stale-if-error=29"))
        #expect(!allows("stale-if-error"))
        #expect(!allows(""))
    }

    @Test func validatorsAreRepeatedUnchanged() throws {
        let modified = "Sunday, 06-Nov-94 08:49:37 GMT"
        let both = try stored([("etag", "W/\"a,b\""), ("Last-Modified", modified)])
        #expect(
            both.conditions == [
                HeaderLine(name: "If-None-Match", value: "W/\"a,b\""),
                HeaderLine(name: "If-Modified-Since", value: modified),
            ]
        )
        #expect(try stored([("Last-Modified", "yesterday"), ("ETag", "")]).conditions.isEmpty)
    }

    @Test func cachedResponseHasAgeUnlessJustConfirmed() throws {
        let stored = try stored([
            ("Age", "5"), ("age", "6"), ("Cache-Control", "no-cache=\"X, y\""),
            ("X", "1"), ("Y", "2"), ("Z", "3"),
        ])
        let late = arrival.addingTimeInterval(7.9)
        let answer = stored.answer(at: late, isConfirmed: false, hasBody: true)
        let response = try #require(answer.response as? HTTPURLResponse)
        #expect(response.fields.values("Age") == ["12"])
        #expect(response.fields.values("x").isEmpty)
        #expect(response.fields.values("y").isEmpty)
        #expect(response.fields.values("z") == ["3"])
        #expect(response.statusCode == 200)
        #expect(response.httpVersion == "HTTP/1.1")
        #expect(answer.data == Data("old".utf8))
        let confirmed = stored.answer(at: late, isConfirmed: true, hasBody: false)
        let fields = (confirmed.response as? HTTPURLResponse)?.fields
        #expect(fields == stored.fields)
        #expect(confirmed.data.isEmpty)
    }

    @Test func confirmationMustMatchTheValidator() throws {
        let own = try stored([("ETag", "\"a\""), ("Last-Modified", date(-10))])
        let isConfirmed = { (fields: [(String, String)]) throws -> Bool in
            own.isConfirmed(by: try CacheSamples.response(fields, status: 304))
        }
        #expect(try isConfirmed([]))
        #expect(try isConfirmed([("ETag", "\"a\"")]))
        #expect(try isConfirmed([("ETag", "W/\"a\""), ("Last-Modified", date(-5))]))
        #expect(try !isConfirmed([("ETag", "\"b\"")]))
        #expect(try isConfirmed([("Last-Modified", date(-10))]))
        #expect(try !isConfirmed([("Last-Modified", date(-5))]))
        let nameless = try stored([("Last-Modified", date(-10))])
        let tagged = try CacheSamples.response([("ETag", "\"a\"")], status: 304)
        #expect(!nameless.isConfirmed(by: tagged))
    }

    @Test func confirmationUpdatesItsFields() throws {
        let own = try stored([
            ("Date", date(0)), ("Age", "9"), ("ETag", "\"a\""), ("A", "1"), ("a", "2"), ("B", "1"),
            ("Content-Length", "3"), ("Content-Encoding", "gzip"), ("Content-Type", "text/plain"),
            ("Cache-Control", "max-age=1"),
        ])
        let later = try CacheSamples.response(
            [
                ("A", "3"), ("C", "4"), ("Content-Length", "0"), ("Content-Encoding", "br"),
                ("Content-Type", "text/html"), ("Connection", "x"), ("X", "5"),
                ("Transfer-Encoding", "chunked"), ("cache-control", "max-age=2"),
            ],
            status: 304
        )
        let time = arrival.addingTimeInterval(100)
        let updated = try #require(
            own.updated(
                by: later,
                for: CacheSamples.request(),
                requestTime: time.addingTimeInterval(-1),
                responseTime: time
            )
        )
        let values = { (name: String) in updated.fields.values(name) }
        #expect(values("A") == ["3"])
        #expect(values("B") == ["1"])
        #expect(values("C") == ["4"])
        #expect(values("Content-Length") == ["3"])
        #expect(values("Content-Encoding") == ["gzip"])
        #expect(values("Content-Type") == ["text/html"])
        #expect(values("X").isEmpty)
        #expect(values("Connection").isEmpty)
        #expect(values("Transfer-Encoding").isEmpty)
        #expect(values("Age").isEmpty)
        #expect(values("Date") == [date(100)])
        #expect(updated.lifetime == 2)
        #expect(updated.age(at: time) == 1)
        #expect(updated.response.statusCode == 200)
        #expect(updated.cached.data == Data("old".utf8))
    }

    @Test func foreignCachedResponseHasTheAgeOfItsDate() throws {
        let dated = try CacheSamples.cached(
            "x",
            [("Date", date(-60)), ("Cache-Control", "max-age=90")]
        )
        let stored = try #require(StoredResponse(dated))
        #expect(stored.age(at: arrival) == 60)
        #expect(stored.isFresh(at: arrival))
        let undated = try CacheSamples.cached("x", [("Cache-Control", "max-age=2147483648")])
        #expect(try !#require(StoredResponse(undated)).isFresh(at: arrival))
        let other = CachedURLResponse(
            response: URLResponse(
                url: try CacheSamples.url("data:,"),
                mimeType: nil,
                expectedContentLength: 0,
                textEncodingName: nil
            ),
            data: Data()
        )
        #expect(StoredResponse(other) == nil)
    }
}
