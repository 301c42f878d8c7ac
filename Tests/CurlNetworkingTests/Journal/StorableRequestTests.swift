internal import CurlURLSession
internal import Foundation
internal import Testing

@testable internal import CurlNetworking

/// What is stored of a request, and what a redirect to another origin may receive.
@Suite struct StorableRequestTests {
    private let usual = TransferJournalConfiguration().omittedHeaderFields

    private func request(_ url: String, _ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func stored(
        _ fields: [String: String],
        omitting names: Set<String>
    ) throws -> StorableRequest {
        try #require(StorableRequest(try request("http://h/", fields), omitting: names))
    }

    @Test(arguments: [
        ("http://me:pw@h:81/p?q#f", "http://h:81/p?q#f"), ("HTTPS://me@h/", "https://h/"),
        ("http://h/me:pw@x", "http://h/me:pw@x"),
    ])
    func urlIsStoredWithoutTheUser(url: String, expected: String) throws {
        var request = try request(url)
        request.mainDocumentURL = URL(string: "http://me:pw@main/")
        let stored = try #require(StorableRequest(request, omitting: []))
        #expect(stored.url.absoluteString.lowercased() == expected)
        #expect(stored.urlRequest.mainDocumentURL?.absoluteString == "http://main/")
    }

    @Test(arguments: ["ftp://h/", "file:///tmp/x", "data:,x", "h/path"])
    func requestOfAnotherSchemeIsNotStored(url: String) throws {
        #expect(StorableRequest(try request(url), omitting: []) == nil)
        var none = try request(url)
        none.url = nil
        #expect(StorableRequest(none, omitting: []) == nil)
    }

    @Test func relativeURLIsStoredAsAWhole() throws {
        let base = try #require(URL(string: "http://h/a/b"))
        let url = try #require(URL(string: "c?d", relativeTo: base))
        let stored = try #require(StorableRequest(URLRequest(url: url), omitting: []))
        #expect(stored.url.absoluteString == "http://h/a/c?d")
    }

    @Test func similarSecretsAreOmittedWithTheUsualNamesOnly() throws {
        let fields = [
            "X-My-Session": "1", "authorization": "2", "X-Plain": "3", "Idempotency-Key": "4",
            "Own": "5",
        ]
        let some = try stored(fields, omitting: usual.union(["OWN"]))
        #expect(some.fields == ["X-Plain": "3", "Idempotency-Key": "4"])
        let names = Set(some.omitted.map { $0.lowercased() })
        #expect(names == ["own", "x-my-session", "authorization"])
        let few = try stored(fields, omitting: ["authorization"])
        #expect(few.omitted.map { $0.lowercased() } == ["authorization"])
        #expect(few.fields["X-My-Session"] == "1")
        #expect(try stored(fields, omitting: []).omitted.isEmpty)
    }

    @Test func storedRequestIsRebuiltWithoutSecrets() throws {
        var original = try request("http://h/", ["Cookie": "s3cret", "X-Plain": "1"])
        original.httpMethod = "PUT"
        original.timeoutInterval = 7
        original.allowsCellularAccess = false
        original.httpBody = Data("body".utf8)
        let stored = try #require(StorableRequest(original, omitting: usual))
        let rebuilt = stored.urlRequest
        #expect(rebuilt.httpMethod == "PUT" && rebuilt.timeoutInterval == 7)
        #expect(!rebuilt.allowsCellularAccess && rebuilt.allowsExpensiveNetworkAccess)
        #expect(rebuilt.allHTTPHeaderFields == ["X-Plain": "1"])
        #expect(rebuilt.httpBody == nil)
    }

    @Test func otherOriginReceivesStoredFieldsOnly() throws {
        let whole = try request(
            "http://h/",
            ["X-Stored": "1", "X-Changed": "new", "X-Added": "2"]
        )
        var prepared = PreparedRequest(whole, fields: ["x-stored": "1", "X-Changed": "old"])
        #expect(prepared.hasOwn)
        #expect(prepared.whole == whole)
        #expect(prepared.plain.allHTTPHeaderFields == ["X-Stored": "1"])
        prepared.change { $0.setValue("bytes=5-", forHTTPHeaderField: "Range") }
        #expect(prepared.whole.allHTTPHeaderFields?.count == 4)
        #expect(prepared.plain.value(forHTTPHeaderField: "Range") == "bytes=5-")
        let same = PreparedRequest(whole, fields: whole.allHTTPHeaderFields ?? [:])
        #expect(!same.hasOwn)
    }
}
