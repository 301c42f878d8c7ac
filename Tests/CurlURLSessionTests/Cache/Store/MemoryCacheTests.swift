import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

struct MemoryCacheTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// The cache of one test, at a fixed time.
    private final class Tested {
        var cache: MemoryCache
        let now: Date

        init(capacity: Int, now: Date) {
            cache = MemoryCache(capacity: capacity)
            self.now = now
        }

        func store(_ name: String, size: Int, at time: Date? = nil) throws {
            let url = "http://example.com/\(name)"
            let request = try CacheSamples.request(url)
            let cached = try CacheSamples.cached(size: size, url: url)
            let key = try #require(CacheKey(request))
            cache.store(cached, for: request, key, at: time ?? now)
        }

        func has(_ name: String) throws -> Bool {
            let request = try CacheSamples.request("http://example.com/\(name)")
            let key = try #require(CacheKey(request))
            return cache.response(for: request, key, at: now) != nil
        }

        func remove(_ name: String, method: String? = "GET") {
            cache.remove(url: "http://example.com/\(name)", method: method)
        }

        var usage: Int { cache.usage }
    }

    @Test func usageIsExact() throws {
        let cache = Tested(capacity: 20_000, now: now)
        #expect(cache.cache.isEmpty)
        try cache.store("a", size: 100)
        try cache.store("b", size: 1000)
        #expect(cache.usage == 1100)
        // Replaces the first response.
        try cache.store("a", size: 50)
        #expect(cache.usage == 1050)
        cache.remove("b")
        #expect(cache.usage == 50)
        cache.remove("b", method: nil)
        #expect(cache.usage == 50)
        cache.cache.removeAll()
        #expect(cache.usage == 0)
        #expect(cache.cache.isEmpty)
        #expect(try !cache.has("a"))
        #expect(cache.cache.capacity == 20_000)
    }

    @Test func usageIncludesFieldsAndURL() throws {
        let url = "http://example.com/a"
        let request = try CacheSamples.request(url)
        let key = try #require(CacheKey(request))
        let cached = try CacheSamples.cached("body", [("Name", "value"), ("Name", "")])
        #expect(MemoryCache.size(of: cached, for: key) == 4 + 20 + 9 + 4)
    }

    @Test func leastRecentlyUsedIsEvicted() throws {
        let cache = Tested(capacity: 20_000, now: now)
        for index in 0..<20 { try cache.store("\(index)", size: 1000) }
        #expect(cache.usage == 20_000)
        #expect(try cache.has("0"))
        try cache.store("20", size: 1000)
        #expect(try !cache.has("1"))
        #expect(try cache.has("0"))
        #expect(cache.usage == 20_000)
        try cache.store("21", size: 25)
        #expect(try !cache.has("2"))
        #expect(cache.usage <= 20_000)
    }

    @Test func reducedCapacityEvictsAtOnce() throws {
        let cache = Tested(capacity: 20_000, now: now)
        for index in 0..<20 { try cache.store("\(index)", size: 1000) }
        cache.cache.capacity = 2500
        #expect(cache.usage == 2000)
        #expect(try cache.has("19"))
        #expect(try cache.has("18"))
        #expect(try !cache.has("17"))
        cache.cache.capacity = 0
        #expect(cache.usage == 0)
        try cache.store("a", size: 100)
        #expect(cache.cache.isEmpty)
    }

    @Test func responseLargerThanATwentiethIsNotStored() throws {
        let cache = Tested(capacity: 20_000, now: now)
        try cache.store("a", size: 1000)
        try cache.store("b", size: 1001)
        #expect(try cache.has("a"))
        #expect(try !cache.has("b"))
        // The response that it would have replaced is outdated.
        try cache.store("a", size: 1001)
        #expect(try !cache.has("a"))
        #expect(cache.usage == 0)
    }

    @Test func responsesStoredSinceADateAreRemoved() throws {
        let cache = Tested(capacity: 20_000, now: now)
        for index in 0..<4 {
            let time = now.addingTimeInterval(Double(index))
            try cache.store("\(index)", size: 100, at: time)
        }
        cache.cache.remove(since: now.addingTimeInterval(2))
        #expect(try cache.has("0"))
        #expect(try cache.has("1"))
        #expect(try !cache.has("2"))
        #expect(try !cache.has("3"))
        #expect(cache.usage == 200)
    }

    /// Compares the cache with a simple model.
    @Test func memoryCacheMatchesASimpleModel() throws {
        var random = SeededGenerator(seed: 7)
        let cache = Tested(capacity: 4000, now: now)
        var simple: [(name: String, size: Int)] = []
        for _ in 0..<3000 {
            let name = "\(Int.random(in: 0..<40, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let size = Int.random(in: 30...220, using: &random)
                try cache.store(name, size: size)
                simple.removeAll { $0.name == name }
                if size <= 200 { simple.append((name, size)) }
                while simple.map(\.size).reduce(0, +) > 4000 { simple.removeFirst() }
            case 5..<9:
                let index = simple.firstIndex { $0.name == name }
                #expect(try cache.has(name) == (index != nil))
                if let index { simple.append(simple.remove(at: index)) }
            default:
                cache.remove(name)
                simple.removeAll { $0.name == name }
            }
            #expect(cache.usage == simple.map(\.size).reduce(0, +))
        }
        #expect(!simple.isEmpty)
    }

    @Test func variantsPerURLAreLimited() throws {
        var cache = MemoryCache(capacity: 1 << 20)
        let key = try #require(CacheKey(try CacheSamples.request()))
        var found = 0
        for turn in 0..<2 {
            for index in 0..<40 {
                let url = "http://example.com/a"
                let request = try CacheSamples.request(url, [("A", "\(index)")])
                if turn == 0 {
                    let cached = try CacheSamples.stored(
                        [("Vary", "A")],
                        at: now,
                        request: request
                    ).cached
                    cache.store(cached, for: request, key, at: now)
                } else if cache.response(for: request, key, at: now) != nil {
                    found += 1
                    #expect(index >= 8)
                }
            }
        }
        #expect(found == MemoryCache.mostVariants)
    }
}
