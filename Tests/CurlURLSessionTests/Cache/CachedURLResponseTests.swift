import Foundation
import Testing

@testable import CurlURLSession

struct CachedURLResponseTests {
    @Test func cachedResponseHasItsInitialValues() throws {
        let response = try CacheSamples.response([("A", "1")])
        let plain = CachedURLResponse(response: response, data: Data([1, 2]))
        #expect(plain.response === response)
        #expect(plain.data == Data([1, 2]))
        #expect(plain.userInfo == nil)
        #expect(plain.storagePolicy == .allowed)
        #expect(plain.record == nil)
        let full = CachedURLResponse(
            response: response,
            data: Data(),
            userInfo: ["a": 1, 2: "b"],
            storagePolicy: .allowedInMemoryOnly
        )
        #expect(full.userInfo?["a"] as? Int == 1)
        #expect(full.userInfo?[2] as? String == "b")
        #expect(full.storagePolicy == .allowedInMemoryOnly)
    }

    @Test func equalCachedResponsesAreEqual() throws {
        let one = try CacheSamples.cached("a", [("A", "1")])
        let same = try CacheSamples.cached("a", [("A", "1")])
        #expect(one == same)
        #expect(one.hash == same.hash)
        #expect(one.isEqual(one))
        #expect(try one != CacheSamples.cached("b", [("A", "1")]))
        #expect(try one != CacheSamples.cached("a", [("A", "2")]))
        #expect(try one != CacheSamples.cached("a", [("A", "1")], policy: .notAllowed))
        #expect(!one.isEqual("a"))
        #expect(!one.isEqual(nil))
    }

    @Test func copyIsTheSameObject() throws {
        let cached = try CacheSamples.cached()
        #expect(cached.copy() as? CachedURLResponse === cached)
        #expect(cached.copy(with: nil) as? CachedURLResponse === cached)
    }

    @Test func storagePoliciesHaveFoundationsNumbers() {
        #expect(URLCache.StoragePolicy(rawValue: 0) == .allowed)
        #expect(URLCache.StoragePolicy(rawValue: 1) == .allowedInMemoryOnly)
        #expect(URLCache.StoragePolicy(rawValue: 2) == .notAllowed)
        #expect(URLCache.StoragePolicy(rawValue: 3) == nil)
    }

    /// A response that `willCacheResponse` returns keeps the times of the proposed one.
    @Test func cachedResponseMadeFromAResponseKeepsItsTimes() throws {
        let time = Date(timeIntervalSince1970: 1)
        let record = CacheRecord(requestTime: time, responseTime: time, variance: .any)
        let proposed = try CacheSamples.cached().replacing(record: record)
        let changed = CachedURLResponse(
            response: proposed.response,
            data: Data("other".utf8),
            userInfo: ["a": 1],
            storagePolicy: .allowedInMemoryOnly
        ).recorded(like: proposed)
        #expect(changed.record == record)
        #expect(changed.data == Data("other".utf8))
        #expect(changed.userInfo?["a"] as? Int == 1)
        #expect(changed.storagePolicy == .allowedInMemoryOnly)
        #expect(proposed.recorded(like: changed) === proposed)
    }
}
