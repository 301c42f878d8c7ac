import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct RequestHeaderFieldsTests {
    private func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://example.com/")))
    }

    @Test(arguments: [
        ("content-type", "Content-Type"), ("x-api-KEY", "X-Api-Key"), ("ETag", "Etag"),
        ("WWW-authenticate", "Www-Authenticate"), ("Host", "Host"), ("dnt", "Dnt"),
        ("x1a-b2c", "X1A-B2C"),
        ("x_a.b:c~d!e", "X_A.B:C~D!E"), ("x'a`b^c", "X'a`b^c"), ("-x--y", "-X--Y"), ("1a", "1A"),
        ("", ""), ("é-É", "é-É"),
    ])
    func wordsOfANameAreCapitalized(name: String, expected: String) throws {
        var request = try request()
        request.setValue("v", forHTTPHeaderField: name)
        #expect(request.allHTTPHeaderFields == [expected: "v"])
        request = try self.request()
        request.addValue("v", forHTTPHeaderField: name)
        #expect(request.allHTTPHeaderFields == [expected: "v"])
    }

    @Test(arguments: [63, 64, 65, 1000])
    func wordsOfALongNameAreCapitalized(length: Int) throws {
        var request = try request()
        let words = String(repeating: "ab-", count: length / 3)
        let rest = String(repeating: "c", count: length % 3)
        request.setValue("v", forHTTPHeaderField: words + rest)
        let expected = String(repeating: "Ab-", count: length / 3)
        #expect(request.allHTTPHeaderFields == [expected + rest.capitalized: "v"])
    }

    @Test func fieldNamesAreCaseInsensitive() throws {
        var request = try request()
        request.setValue("1", forHTTPHeaderField: "x-foo")
        request.setValue("2", forHTTPHeaderField: "X-FOO")
        #expect(request.allHTTPHeaderFields == ["X-Foo": "2"])
        #expect(request.value(forHTTPHeaderField: "x-Foo") == "2")
        request.setValue(nil, forHTTPHeaderField: "x-fOO")
        #expect(request.value(forHTTPHeaderField: "X-Foo") == nil)
        #expect(request.allHTTPHeaderFields == [:])
        request.setValue(nil, forHTTPHeaderField: "x-fOO")
        #expect(request.allHTTPHeaderFields == [:])
    }

    @Test func addedValueFollowsAComma() throws {
        var request = try request()
        request.addValue("1", forHTTPHeaderField: "accept")
        request.addValue("2", forHTTPHeaderField: "ACCEPT")
        #expect(request.allHTTPHeaderFields == ["Accept": "1,2"])
    }

    @Test func dictionaryNamesKeepTheirSpelling() throws {
        var request = try request()
        request.allHTTPHeaderFields = ["x-raw": "1", "X-RAW": "2", "content-type": "t"]
        #expect(request.allHTTPHeaderFields == ["x-raw": "1", "X-RAW": "2", "content-type": "t"])
        #expect(request.value(forHTTPHeaderField: "x-Raw") == "2")
        request.setValue("n", forHTTPHeaderField: "Content-Type")
        #expect(request.allHTTPHeaderFields?["Content-Type"] == "n")
        #expect(request.allHTTPHeaderFields?["content-type"] == nil)
    }

    @Test func emptyDictionaryDiffersFromNoFields() throws {
        var request = try request()
        let fresh = request
        request.allHTTPHeaderFields = [:]
        #expect(request.allHTTPHeaderFields == [:])
        #expect(request != fresh)
        request.allHTTPHeaderFields = nil
        #expect(request == fresh)
    }

    @Test(arguments: [
        "Authorization", "Connection", "Content-Length", "Host", "Proxy-Authorization", "Te",
    ])
    func fieldsSetByTheEngineAreKept(name: String) throws {
        var request = try request()
        request.setValue("v", forHTTPHeaderField: name)
        #expect(request.value(forHTTPHeaderField: name) == "v")
    }

    @Test("A value is kept as it is, or ignored if it has a NUL or an unfolded line end")
    func valuesAreNeverChanged() throws {
        let ignored = ["a\rb", "a\nb", "a\r\nX: y", "a\0b", "token\n"]
        for value in ignored + ["a\r\n b", " a "] {
            let kept = ignored.contains(value) ? nil : value
            var request = try request()
            request.setValue(value, forHTTPHeaderField: "H")
            #expect(request.value(forHTTPHeaderField: "H") == kept)
            request = try self.request()
            request.addValue(value, forHTTPHeaderField: "H")
            #expect(request.value(forHTTPHeaderField: "H") == kept)
        }
    }

    @Test func fieldsKeepTheOrderInWhichTheyWereSet() throws {
        var fields = RequestHeaderFields()
        for name in ["C", "A", "B"] { fields.set("1", for: name) }
        fields.set("2", for: "a")
        #expect(fields.lines.map(\.name) == ["C", "A", "B"])
        #expect(fields["A"] == "2")
        fields.set(nil, for: "A")
        #expect(fields.lines.map(\.name) == ["C", "B"])
        #expect(
            RequestHeaderFields(["z": "1", "a": "2", "M": "3"]).lines.map(\.name) == [
                "M", "a", "z",
            ]
        )
    }

    @Test func equalityIgnoresTheOrder() {
        var one = RequestHeaderFields()
        var other = RequestHeaderFields()
        for name in ["A", "B"] { one.set(name, for: name) }
        for name in ["B", "A"] { other.set(name, for: name) }
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        other.add("x", for: "A")
        #expect(one != other)
    }
}
