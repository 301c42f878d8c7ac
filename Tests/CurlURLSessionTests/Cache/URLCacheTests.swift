import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlURLSession

struct URLCacheTests {
    private let clock = ManualClock()

    private func cache(
        memory: Int = 1 << 20,
        disk: Int = 0,
        in directory: TemporaryDirectory? = nil
    ) -> URLCache {
        clock.drive(
            URLCache(
                memoryCapacity: memory,
                diskCapacity: disk,
                directory: directory.map { URL(fileURLWithPath: $0.path("cache")) }
            )
        )
    }

    private func body(_ cache: URLCache, _ request: URLRequest) -> String? {
        cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func storedResponseIsFound() throws {
        let cache = cache()
        let request = try CacheSamples.request()
        #expect(cache.cachedResponse(for: request) == nil)
        let cached = CachedURLResponse(
            response: try CacheSamples.response([("A", "1"), ("a", "2")], status: 404),
            data: Data("x".utf8),
            userInfo: ["k": "v"],
            storagePolicy: .allowedInMemoryOnly
        )
        cache.storeCachedResponse(cached, for: request)
        let found = try #require(cache.cachedResponse(for: request))
        #expect(found == cached)
        #expect(found.userInfo?["k"] as? String == "v")
        #expect(found.storagePolicy == .allowedInMemoryOnly)
        #expect(cache.currentMemoryUsage == 1 + 20 + 4)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func keyIsMethodAndURL() throws {
        let cache = cache()
        let get = try CacheSamples.request("http://example.com/a?b#c")
        cache.storeCachedResponse(try CacheSamples.cached("get"), for: get)
        #expect(body(cache, try CacheSamples.request("HTTP://EXAMPLE.com:80/a?b#d")) == "get")
        #expect(body(cache, try CacheSamples.request("http://example.com/a?B")) == nil)
        #expect(body(cache, try CacheSamples.request("https://example.com/a?b")) == nil)
        let post = try CacheSamples.request("http://example.com/a?b", method: "POST")
        #expect(body(cache, post) == nil)
        cache.storeCachedResponse(try CacheSamples.cached("post"), for: post)
        #expect(body(cache, post) == "post")
        #expect(body(cache, get) == "get")
        let head = try CacheSamples.request("http://example.com/a?b", method: "HEAD")
        #expect(body(cache, head) == "get")
        cache.storeCachedResponse(try CacheSamples.cached(""), for: head)
        #expect(body(cache, get) == "get")
        cache.removeCachedResponse(for: post)
        #expect(body(cache, post) == nil)
        #expect(body(cache, get) == "get")
    }

    @Test func variantsAreSelectedByTheirVaryFields() throws {
        let cache = cache()
        let url = "http://example.com/a"
        for value in ["1", "2"] {
            let request = try CacheSamples.request(url, [("A", value), ("B", "x")])
            let cached = try CacheSamples.cached(value, [("Vary", "A")])
            cache.storeCachedResponse(cached, for: request)
        }
        #expect(body(cache, try CacheSamples.request(url, [("A", "1")])) == "1")
        #expect(body(cache, try CacheSamples.request(url, [("a", "2"), ("B", "y")])) == "2")
        #expect(body(cache, try CacheSamples.request(url, [("A", "3")])) == nil)
        #expect(body(cache, try CacheSamples.request(url)) == nil)
        // A response without `Vary` answers every request. It is preferred as the latest one.
        clock.advance(by: 1)
        cache.storeCachedResponse(
            try CacheSamples.cached("3"),
            for: try CacheSamples.request(url, [("A", "1")])
        )
        #expect(body(cache, try CacheSamples.request(url, [("A", "1")])) == "3")
        #expect(body(cache, try CacheSamples.request(url, [("A", "2")])) == "3")
        #expect(body(cache, try CacheSamples.request(url)) == "3")
        cache.removeCachedResponse(for: try CacheSamples.request(url, [("A", "2")]))
        #expect(body(cache, try CacheSamples.request(url, [("A", "1")])) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func forbiddenResponseIsNotStored() throws {
        let cache = cache()
        let request = try CacheSamples.request()
        cache.storeCachedResponse(try CacheSamples.cached(policy: .notAllowed), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
        cache.storeCachedResponse(try CacheSamples.cached("x", [("Vary", "*")]), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
        var nowhere = request
        nowhere.url = nil
        cache.storeCachedResponse(try CacheSamples.cached(), for: nowhere)
        cache.removeCachedResponse(for: nowhere)
        #expect(cache.cachedResponse(for: nowhere) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func removedResponseIsNotFound() throws {
        let cache = cache()
        let requests = try (0..<4).map { try CacheSamples.request("http://example.com/\($0)") }
        for request in requests {
            cache.storeCachedResponse(try CacheSamples.cached(), for: request)
            clock.advance(by: 10)
        }
        cache.removeCachedResponses(since: clock.now.addingTimeInterval(-20))
        #expect(
            requests.map { cache.cachedResponse(for: $0) != nil } == [true, true, false, false]
        )
        cache.removeCachedResponse(for: requests[0])
        #expect(
            requests.map { cache.cachedResponse(for: $0) != nil } == [false, true, false, false]
        )
        cache.removeAllCachedResponses()
        #expect(requests.allSatisfy { cache.cachedResponse(for: $0) == nil })
    }

    @Test func capacitiesAreNeverNegative() {
        let cache = URLCache(memoryCapacity: -5, diskCapacity: -5, diskPath: nil)
        #expect(cache.memoryCapacity == 0)
        #expect(cache.diskCapacity == 0)
        cache.memoryCapacity = 7
        #expect(cache.memoryCapacity == 7)
        cache.memoryCapacity = .min
        #expect(cache.memoryCapacity == 0)
        // The cache has no directory.
        cache.diskCapacity = 7
        #expect(cache.diskCapacity == 0)
    }

    @Test func noDateTraps() throws {
        let cache = cache()
        let request = try CacheSamples.request()
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            cache.storeCachedResponse(try CacheSamples.cached(), for: request)
            cache.removeCachedResponses(since: Date(timeIntervalSince1970: seconds))
        }
        cache.removeCachedResponses(since: .distantPast)
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test func sharedCacheIsReplaceableAndMemoryOnly() {
        let original = URLCache.shared
        #expect(original.diskCapacity == 0)
        #expect(original.memoryCapacity == 4 << 20)
        #expect(URLCache.shared === original)
        // The replacement has the same capacities, because other tests may use it meanwhile.
        let other = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        URLCache.shared = other
        #expect(URLCache.shared === other)
        URLCache.shared = original
    }

    @Test func relativePathIsInTheUsersCaches() throws {
        let name = "curlnetworking-" + UUID().uuidString
        let cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: name)
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        let expected = try #require(caches.first).appendingPathComponent(name)
        #expect(cache.store.disk?.path == expected.appendingPathComponent("Cache.db").path)
        // The directory is created only when a response is stored.
        #expect(!FileManager.default.fileExists(atPath: expected.path))
    }

    @Test func cacheCanBeUsedByManyThreads() throws {
        let cache = cache(memory: 100_000)
        let urls = (0..<10).map { "http://example.com/\($0)" }
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2000) { index in
            let url = urls[index % urls.count]
            guard let request = try? CacheSamples.request(url) else { return }
            switch index % 7 {
            case 0..<3:
                guard let cached = try? CacheSamples.cached(url, url: url) else { return }
                cache.storeCachedResponse(cached, for: request)
            case 6 where index % 5 == 0: cache.removeCachedResponse(for: request)
            case 6 where index % 11 == 0: cache.removeAllCachedResponses()
            default:
                if let found = cache.cachedResponse(for: request), found.data != Data(url.utf8) {
                    wrong.withLock { $0 += 1 }
                }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0)
    }

    // MARK: - Lookups and effects of loading

    @Test func memoryLookupAnswersAtOnce() throws {
        let directory = try TemporaryDirectory()
        for cache in [cache(), cache(disk: 1 << 20, in: directory)] {
            let request = try CacheSamples.request()
            cache.storeCachedResponse(try CacheSamples.cached(), for: request)
            let found = Mutex(false)
            cache.lookUp(request) { cached in found.withLock { $0 = cached != nil } }
            #expect(found.withLock { $0 })
            // Reading the disk usage waits for pending writes.
            _ = cache.currentDiskUsage
        }
    }

    @Test func missWithoutADiskAnswersAtOnce() throws {
        let called = Mutex(false)
        cache().lookUp(try CacheSamples.request()) { cached in
            called.withLock { $0 = cached == nil }
        }
        #expect(called.withLock { $0 })
    }

    @Test func diskLookupAnswersOnAnotherThread() async throws {
        let directory = try TemporaryDirectory()
        let cache = cache(memory: 0, disk: 1 << 20, in: directory)
        let request = try CacheSamples.request()
        cache.keep(try CacheSamples.cached(), for: request)
        let caller = Mutex(true)
        let found = await withCheckedContinuation { continuation in
            caller.withLock { _ in
                // The callback waits here until `lookUp` has returned.
                cache.lookUp(request) { cached in
                    caller.withLock { _ in continuation.resume(returning: cached) }
                }
            }
        }
        #expect(found?.data == Data("body".utf8))
    }

    @Test func cacheEffectsAreApplied() throws {
        let cache = cache()
        let request = try CacheSamples.request()
        cache.apply(.store(try CacheSamples.cached("a")), for: request)
        #expect(body(cache, request) == "a")
        cache.apply(.none, for: request)
        cache.apply(.keepBody, for: request)
        #expect(body(cache, request) == "a")
        cache.apply(.remove([try CacheSamples.url("http://example.com/b")]), for: request)
        #expect(body(cache, request) == "a")
        cache.apply(.remove([try CacheSamples.url()]), for: request)
        #expect(body(cache, request) == nil)
        cache.apply(.store(try CacheSamples.cached("a")), for: request)
        cache.apply(.offerBody(removing: []), for: request)
        #expect(body(cache, request) == "a")
        cache.apply(.offerBody(removing: [try CacheSamples.url()]), for: request)
        #expect(body(cache, request) == nil)
        let head = try CacheSamples.request(method: "HEAD")
        cache.apply(.store(try CacheSamples.cached("b")), for: head)
        #expect(body(cache, request) == "b")
    }

    @Test func responseTooLargeForBothIsNotKept() throws {
        let directory = try TemporaryDirectory()
        #expect(cache(memory: 2000).largestBody == 100)
        #expect(cache(memory: 2000, disk: 4000, in: directory).largestBody == 200)
        #expect(Custom(memoryCapacity: 0, diskCapacity: 0).largestBody == DiskCache.largestBody)
    }

    @Test func subclassOverridesAreCalled() async throws {
        let cache = Custom(memoryCapacity: 1 << 20, diskCapacity: 0)
        let request = try CacheSamples.request()
        cache.keep(try CacheSamples.cached("a"), for: request)
        let found = await withCheckedContinuation { continuation in
            cache.lookUp(request) { continuation.resume(returning: $0) }
        }
        #expect(found?.data == Data("own".utf8))
        cache.apply(.remove([try CacheSamples.url()]), for: request)
        let calls = try await cache.calls.wait(count: 3)
        #expect(calls == ["store", "look up", "remove"])
    }

    private final class Custom: URLCache, @unchecked Sendable {
        let calls = EventRecorder<String>()

        override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
            calls.record("look up")
            return try? CacheSamples.cached("own")
        }

        override func storeCachedResponse(
            _ cachedResponse: CachedURLResponse,
            for request: URLRequest
        ) {
            calls.record("store")
        }

        override func removeCachedResponse(for request: URLRequest) {
            calls.record("remove")
        }
    }
}
