import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct CacheTransactionTests {
    let start = Date(timeIntervalSince1970: 1_767_225_600)

    func stored(
        _ fields: [(String, String)],
        status: Int = 200
    ) throws -> CachedURLResponse {
        try CacheSamples.stored(fields, status: status, at: start).cached
    }

    func transaction(
        _ fields: [(String, String)] = [],
        policy: NSURLRequest.CachePolicy = .useProtocolCachePolicy,
        method: String = "GET",
        servesWhileRevalidating: Bool = false,
        largestBody: Int = .max
    ) throws -> CacheTransaction {
        CacheTransaction(
            try CacheSamples.request("http://example.com/a", fields, method: method),
            policy: policy,
            servesWhileRevalidating: servesWhileRevalidating,
            largestBody: largestBody
        )
    }

    func lines(_ opening: CacheTransaction.Opening) -> [String]? {
        guard case .load(let fields) = opening else { return nil }
        return fields.map { "\($0.name): \($0.value)" }
    }

    func answer(_ opening: CacheTransaction.Opening) -> CacheAnswer? {
        if case .answer(let answer) = opening { answer } else { nil }
    }

    func receive(
        _ transaction: inout CacheTransaction,
        _ fields: [(String, String)],
        status: Int = 200,
        after seconds: TimeInterval = 20
    ) throws -> CacheTransaction.HeadAction {
        let time = start.addingTimeInterval(seconds)
        let response = try CacheSamples.response(fields, status: status)
        return transaction.received(response, requestTime: time, responseTime: time)
    }

    func miss(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        Issue.record("\(text)", sourceLocation: sourceLocation)
    }

    // MARK: - Policies

    @Test(arguments: [
        NSURLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad,
        .returnCacheDataDontLoad, .reloadRevalidatingCacheData, .reloadIgnoringLocalCacheData,
        .reloadIgnoringLocalAndRemoteCacheData,
    ])
    func everyPolicyHandlesAMiss(policy: NSURLRequest.CachePolicy) throws {
        var transaction = try transaction(policy: policy)
        let opening = transaction.found(nil, at: start)
        switch policy {
        case .returnCacheDataDontLoad:
            guard case .unavailable = opening else { return miss("\(opening)") }
        case .reloadIgnoringLocalAndRemoteCacheData:
            #expect(lines(opening) == ["Cache-Control: no-cache", "Pragma: no-cache"])
        default:
            #expect(lines(opening) == [])
        }
    }

    @Test func freshResponseAnswersByProtocolPolicy() throws {
        var transaction = try transaction()
        #expect(transaction.looksUp)
        let fresh = try stored([("Cache-Control", "max-age=10")])
        let found = answer(transaction.found(fresh, at: start.addingTimeInterval(5)))
        #expect(found?.cached.data == fresh.data)
        #expect(found?.isStale == false)
        #expect(found?.isToBeRenewed == false)
        let response = found?.cached.response as? HTTPURLResponse
        #expect(response?.value(forHTTPHeaderField: "Age") == "5")
    }

    @Test func staleResponseIsRevalidated() throws {
        var transaction = try transaction()
        let stale = try stored([("Cache-Control", "max-age=10"), ("ETag", "\"a\"")])
        let opening = transaction.found(stale, at: start.addingTimeInterval(10))
        #expect(lines(opening) == ["If-None-Match: \"a\""])
    }

    @Test func ignoringPolicyDoesNotLookUpButStores() throws {
        for policy: NSURLRequest.CachePolicy in [
            .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
        ] {
            var transaction = try transaction(policy: policy)
            #expect(!transaction.looksUp)
            let fresh = try stored([("Cache-Control", "max-age=10"), ("ETag", "\"a\"")])
            let fields = lines(transaction.found(fresh, at: start))
            #expect(fields?.contains { $0.hasPrefix("If-") } == false)
            // The response is stored for later requests.
            guard case .deliver(.keepBody) = try receive(&transaction, [("ETag", "\"b\"")]) else {
                Issue.record("it isn't kept")
                continue
            }
        }
    }

    @Test func programsDirectivesAreNotOverwritten() throws {
        for policy: NSURLRequest.CachePolicy in [
            .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
        ] {
            var transaction = try transaction([("Cache-Control", "max-age=5")], policy: policy)
            let stored = try stored([("ETag", "\"a\"")])
            let fields = lines(transaction.found(stored, at: start)) ?? []
            #expect(!fields.contains { $0.hasPrefix("Cache-Control") || $0.hasPrefix("Pragma") })
        }
    }

    @Test(arguments: [
        NSURLRequest.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad,
    ])
    func returnCacheDataIgnoresAge(policy: NSURLRequest.CachePolicy) throws {
        for text in ["max-age=1", "no-cache", "max-age=1, must-revalidate"] {
            var transaction = try transaction(policy: policy)
            let old = try stored([("Cache-Control", text)])
            let found = answer(transaction.found(old, at: start.addingTimeInterval(1e6)))
            #expect(found?.cached.data == old.data)
            #expect(found?.isStale == true)
        }
    }

    @Test func nonHTTPResponseIsReturnedUnchanged() throws {
        var transaction = try transaction(policy: .returnCacheDataElseLoad)
        let response = URLResponse(
            url: try CacheSamples.url(),
            mimeType: "a/b",
            expectedContentLength: 1,
            textEncodingName: nil
        )
        let cached = CachedURLResponse(response: response, data: Data([1]))
        #expect(answer(transaction.found(cached, at: start))?.cached === cached)
        var other = try self.transaction()
        #expect(lines(other.found(cached, at: start)) == [])
    }

    @Test func revalidatingPolicyRevalidatesFreshResponses() throws {
        var transaction = try transaction(policy: .reloadRevalidatingCacheData)
        let fresh = try stored([("Cache-Control", "max-age=10"), ("ETag", "\"a\"")])
        let opening = transaction.found(fresh, at: start)
        #expect(lines(opening) == ["Cache-Control: max-age=0", "If-None-Match: \"a\""])
    }

    @Test("A fresh immutable response isn't revalidated (RFC 8246)")
    func freshImmutableResponseIsNotRevalidated() throws {
        let immutable = try stored([("Cache-Control", "max-age=10, immutable"), ("ETag", "\"a\"")])
        var fresh = try transaction(policy: .reloadRevalidatingCacheData)
        #expect(answer(fresh.found(immutable, at: start)) != nil)
        var stale = try transaction(policy: .reloadRevalidatingCacheData)
        #expect(lines(stale.found(immutable, at: start.addingTimeInterval(10)))?.count == 2)
        var own = try transaction(
            [("Cache-Control", "no-cache")],
            policy: .reloadRevalidatingCacheData
        )
        #expect(lines(own.found(immutable, at: start)) == ["If-None-Match: \"a\""])
    }

    // MARK: - The request's directives

    @Test(arguments: [
        ("max-age=4", 5, false), ("max-age=6", 5, true), ("max-age=0", 0, false),
        ("min-fresh=5", 4, true), ("min-fresh=5", 6, false), ("min-fresh=x", 0, false),
        ("max-stale", 1e9, true), ("max-stale=5", 15, true), ("max-stale=5", 16, false),
        ("max-stale=x", 11, false), ("max-stale=5, max-age=12", 13, false),
        ("no-cache", 0, false), ("no-store", 0, false), ("x", 5, true), ("only-if-cached", 5, true),
    ])
    func requestDirectivesLimitAgeAndStaleness(text: String, age: TimeInterval, isTaken: Bool)
        throws
    {
        var transaction = try transaction([("Cache-Control", text)])
        let stored = try stored([("Cache-Control", "max-age=10")])
        let opening = transaction.found(stored, at: start.addingTimeInterval(age))
        #expect((answer(opening) != nil) == isTaken)
    }

    @Test func pragmaAppliesWithoutCacheControl() throws {
        let stored = try stored([("Cache-Control", "max-age=10")])
        for (fields, isTaken) in [
            ([("Pragma", "no-cache")], false), ([("Pragma", "x, No-Cache")], false),
            ([("Pragma", "x")], true),
            ([("Pragma", "no-cache"), ("Cache-Control", "max-age=5")], true),
        ] {
            var transaction = try transaction(fields)
            #expect((answer(transaction.found(stored, at: start)) != nil) == isTaken)
        }
    }

    @Test func onlyIfCachedMissIsAGatewayTimeout() throws {
        for cached in [nil, try stored([("Cache-Control", "max-age=0")])] {
            var transaction = try transaction([("Cache-Control", "only-if-cached")])
            let found = answer(transaction.found(cached, at: start))?.cached
            #expect((found?.response as? HTTPURLResponse)?.statusCode == 504)
            #expect(found?.storagePolicy == .notAllowed)
        }
    }

    @Test(arguments: [
        [("Range", "bytes=0-1")], [("If-None-Match", "\"x\"")], [("If-Modified-Since", "x")],
        [("If-Match", "\"x\"")], [("If-Unmodified-Since", "x")], [("Cache-Control", "no-store")],
    ])
    func programsConditionalRequestBypassesTheCache(fields: [(String, String)]) throws {
        var transaction = try transaction(fields)
        #expect(!transaction.looksUp)
        let fresh = try stored([("Cache-Control", "max-age=10"), ("ETag", "\"a\"")])
        #expect(lines(transaction.found(fresh, at: start)) == [])
        // The 304 answers the program's own conditional request.
        guard case .deliver(.none) = try receive(&transaction, [], status: 304) else {
            return miss("it is held back")
        }
    }
}
