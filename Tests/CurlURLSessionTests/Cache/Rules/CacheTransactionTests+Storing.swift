import Foundation
import Testing

@testable import CurlURLSession

/// Tests which responses are stored, and which the transaction ignores.
extension CacheTransactionTests {
    @Test func responseThatCanNeverBeReusedIsNotKept() throws {
        let policies: [(NSURLRequest.CachePolicy, Bool)] = [
            (.useProtocolCachePolicy, false), (.reloadRevalidatingCacheData, false),
            (.returnCacheDataElseLoad, true),
        ]
        for (policy, isKept) in policies {
            var transaction = try transaction(policy: policy)
            _ = transaction.found(nil, at: start)
            _ = try receive(&transaction, [("Content-Type", "text/plain"), ("Date", "x")])
            #expect((transaction.finished(body: Data()) != nil) == isKept)
        }
        let names = ["cache-control", "EXPIRES", "ETag", "Last-Modified"]
        for name in names {
            var transaction = try transaction()
            _ = transaction.found(nil, at: start)
            _ = try receive(&transaction, [(name, "x")])
            let kept = transaction.finished(body: Data())
            #expect(kept != nil, "\(name)")
        }
    }

    @Test("A 200 without caching fields is offered to a delegate, unless storing is forbidden")
    func responseWithoutCachingFieldsIsOffered() throws {
        let cases: [(method: String, status: Int, field: (String, String), isOffered: Bool)] = [
            ("GET", 200, ("X", "1"), true), ("GET", 200, ("Cache-Control", "no-store"), false),
            ("GET", 200, ("Vary", "*"), false), ("GET", 404, ("X", "1"), false),
            ("HEAD", 200, ("X", "1"), false), ("POST", 200, ("X", "1"), false),
        ]
        for (method, status, field, isOffered) in cases {
            var transaction = CacheTransaction(
                try CacheSamples.request("http://example.com/a", method: method),
                policy: .useProtocolCachePolicy,
                offersResponses: true
            )
            _ = transaction.found(nil, at: start)
            let isIgnored = transaction.ignores(status, isCacheEmpty: true)
            #expect(isIgnored == (method != "GET" || status != 200), "\(method) \(status)")
            _ = try receive(&transaction, [field], status: status)
            let kept = transaction.finished(body: Data())
            #expect((kept != nil) == isOffered, "\(method) \(status) \(field)")
            #expect(transaction.needsConsent == isOffered)
        }
        // A response that could answer a later request is stored without a delegate, too.
        var transaction = try transaction()
        _ = transaction.found(nil, at: start)
        _ = try receive(&transaction, [("ETag", "x")])
        #expect(!transaction.needsConsent)
    }

    @Test("An offered response removes the stored one that it replaces")
    func offeredResponseRemovesTheStoredOne() throws {
        var transaction = CacheTransaction(
            try CacheSamples.request("http://example.com/a"),
            policy: .useProtocolCachePolicy,
            offersResponses: true
        )
        _ = transaction.found(try stored([("ETag", "\"a\"")]), at: start.addingTimeInterval(20))
        guard case .deliver(.offerBody(let urls)) = try receive(&transaction, []) else {
            return miss("the response isn't offered")
        }
        #expect(urls.map(\.absoluteString) == ["http://example.com/a"])
    }

    @Test func reloadedResponseReplacesTheStoredOne() throws {
        for (status, isRemoved) in [(200, true), (404, true), (500, false)] {
            var transaction = try transaction(policy: .reloadIgnoringLocalCacheData)
            _ = transaction.found(nil, at: start)
            switch try receive(&transaction, [("Cache-Control", "no-store")], status: status) {
            case .deliver(.remove): #expect(isRemoved)
            case .deliver(.none): #expect(!isRemoved)
            case let action: Issue.record("\(action)")
            }
        }
        // A partial response replaces nothing.
        var part = try transaction([("Range", "bytes=0-1")], policy: .reloadIgnoringLocalCacheData)
        _ = part.found(nil, at: start)
        guard case .deliver(.none) = try receive(&part, [], status: 206) else {
            return miss("the whole is removed")
        }
    }

    @Test func uncacheableTransactionIsIgnored() throws {
        let cases: [(NSURLRequest.CachePolicy, String, isStored: Bool, isIgnored: [Bool])] = [
            // In an empty cache, then in one that isn't empty.
            (.useProtocolCachePolicy, "GET", false, [true, true]),
            (.useProtocolCachePolicy, "HEAD", false, [true, true]),
            (.useProtocolCachePolicy, "POST", false, [true, false]),
            (.useProtocolCachePolicy, "GET", true, [false, false]),
            (.reloadIgnoringLocalCacheData, "GET", false, [true, false]),
            (.returnCacheDataElseLoad, "GET", false, [false, false]),
        ]
        for (policy, method, isStored, isIgnored) in cases {
            var transaction = try transaction(policy: policy, method: method)
            #expect(!transaction.ignores(200, isCacheEmpty: true), "it isn't open yet")
            let found = isStored ? try stored([("ETag", "\"a\"")]) : nil
            _ = transaction.found(found, at: start.addingTimeInterval(20))
            let ignored = [true, false].map { transaction.ignores(200, isCacheEmpty: $0) }
            #expect(ignored == isIgnored, "\(policy) \(method)")
        }
    }
}
