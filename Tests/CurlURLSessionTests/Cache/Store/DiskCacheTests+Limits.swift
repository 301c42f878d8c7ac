import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests capacity limits, and several caches with one file.
extension DiskCacheTests {
    @Test func usageCountsWritesOfEveryCache() throws {
        let (one, other) = (cache(), cache())
        try store(one, "a", size: 1000)
        let first = one.currentDiskUsage
        #expect(first > 1000)
        #expect(first < 1400)
        try store(other, "b", size: 2000)
        #expect(other.currentDiskUsage == 2 * first + 1000)
        #expect(one.currentDiskUsage == 2 * first + 1000)
        try store(one, "b", size: 1000)
        #expect(one.currentDiskUsage == 2 * first)
        other.removeCachedResponse(for: try CacheSamples.request("http://example.com/a"))
        #expect(other.currentDiskUsage == first)
        one.removeAllCachedResponses()
        #expect(other.currentDiskUsage == 0)
    }

    @Test func leastRecentlyUsedIsEvictedFromDisk() throws {
        let cache = cache(disk: 200_000)
        for index in 0..<20 {
            try store(cache, "\(index)", size: 9000)
            clock.advance(by: 100)
        }
        #expect(cache.currentDiskUsage <= 200_000)
        #expect(try has(cache, "0"))
        clock.advance(by: 100)
        for index in 20..<24 {
            try store(cache, "\(index)", size: 9000)
            clock.advance(by: 100)
        }
        #expect(cache.currentDiskUsage <= 200_000)
        #expect(try has(cache, "0"))
        #expect(try !has(cache, "1"))
        #expect(try has(cache, "23"))
    }

    @Test func memoryHitsCountAsUseOnDisk() throws {
        let cache = cache(memory: 1 << 20, disk: 200_000)
        for index in 0..<20 {
            try store(cache, "\(index)", size: 9000)
            clock.advance(by: 100)
        }
        #expect(try has(cache, "0"))
        clock.advance(by: 100)
        for index in 20..<24 { try store(cache, "\(index)", size: 9000) }
        cache.memoryCapacity = 0
        #expect(try has(cache, "0"))
        #expect(try !has(cache, "1"))
    }

    @Test func responseLargerThanATwentiethIsNotWritten() throws {
        let cache = cache(disk: 100_000)
        try store(cache, "a", size: 4000)
        try store(cache, "b", size: 5000)
        #expect(try has(cache, "a"))
        #expect(try !has(cache, "b"))
        try store(cache, "a", size: 5000)
        #expect(try !has(cache, "a"))
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func reducedDiskCapacityEvicts() throws {
        let cache = cache(disk: 200_000)
        for index in 0..<20 {
            try store(cache, "\(index)", size: 9000)
            clock.advance(by: 1)
        }
        // Writes that are still pending would apply the new capacity.
        cache.flush()
        cache.diskCapacity = 20_000
        #expect(cache.diskCapacity == 20_000)
        #expect(cache.currentDiskUsage <= 20_000)
        #expect(cache.currentDiskUsage > 9000)
        cache.diskCapacity = 0
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func removalFreesDiskSpace() throws {
        let cache = cache(disk: 200 << 20)
        for index in 0..<20 { try store(cache, "\(index)", size: 500_000) }
        cache.flush()
        cache.removeAllCachedResponses()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sizes = try names.map { name in
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
        }
        #expect(sizes.compactMap { $0 }.reduce(0, +) < 1_000_000)
    }

    @Test func responsesStoredSinceADateAreRemovedFromDisk() throws {
        let cache = cache()
        for index in 0..<4 {
            try store(cache, "\(index)")
            clock.advance(by: 10)
        }
        cache.removeCachedResponses(since: clock.now.addingTimeInterval(-20))
        #expect(try (0..<4).map { try has(cache, "\($0)") } == [true, true, false, false])
        for seconds in [Double.infinity, .nan, -.infinity] {
            cache.removeCachedResponses(since: Date(timeIntervalSince1970: seconds))
            _ = cache.currentDiskUsage
        }
    }

    @Test func diskVariantsAreSelectedAndLimited() throws {
        let cache = cache()
        let url = "http://example.com/a"
        for index in 0..<40 {
            cache.storeCachedResponse(
                try CacheSamples.cached("\(index)", [("Vary", "A")]),
                for: try CacheSamples.request(url, [("A", "\(index)")])
            )
        }
        let found = try (0..<40).filter { index in
            let request = try CacheSamples.request(url, [("A", "\(index)")])
            guard let cached = cache.cachedResponse(for: request) else { return false }
            #expect(cached.data == Data("\(index)".utf8))
            return true
        }
        #expect(found == Array(8..<40))
    }

    // MARK: - Several caches

    @Test func twoCachesCanShareAFile() throws {
        let (one, other) = (cache(), cache())
        try store(one, "a")
        one.flush()
        #expect(try has(other, "a"))
        try store(other, "b")
        other.flush()
        #expect(try has(one, "b"))
        other.removeCachedResponse(for: try CacheSamples.request("http://example.com/a"))
        other.flush()
        #expect(try !has(one, "a"))
    }

    @Test func threadsAndCachesCanWriteConcurrently() throws {
        let caches = (0..<4).map { _ in cache(memory: 10_000, disk: 4 << 20) }
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 400) { index in
            let url = "http://example.com/\(index % 25)"
            guard let request = try? CacheSamples.request(url),
                let cached = try? CacheSamples.cached(url, url: url)
            else { return }
            let cache = caches[index % 4]
            switch index % 3 {
            case 0: cache.storeCachedResponse(cached, for: request)
            case 1 where index % 7 == 0: cache.removeCachedResponse(for: request)
            default:
                let found = cache.cachedResponse(for: request)
                if let found, found.data != cached.data { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
        for cache in caches { cache.flush() }
        try store(caches[0], "last")
        caches[0].flush()
        #expect(try has(cache(), "last"))
        #expect(!exists(file + ".damaged"))
    }

    @Test func removedResponseStaysRemovedWhenFileIsBusy() throws {
        let impatient = DiskCache(
            directory: URL(fileURLWithPath: folder),
            capacity: 1 << 20,
            queue: DispatchQueue(label: "test"),
            patience: 20,
            clock: CacheClock()
        )
        let request = try CacheSamples.request()
        let key = try #require(CacheKey(request))
        let cached = try CacheSamples.stored([], at: clock.now).cached
        impatient.write(.store(cached, for: request, key, clock.now))
        #expect(impatient.response(for: request, key) != nil)
        let writer = try SQLiteConnection(path: file, patience: 20)
        try writer.execute("BEGIN IMMEDIATE")
        impatient.write(.remove(url: key.url, method: "GET"))
        #expect(impatient.response(for: request, key) == nil)
        try writer.execute("ROLLBACK")
        #expect(impatient.response(for: request, key) == nil)
        #expect(impatient.usage == 0)
    }
}
