import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlURLSession

struct DiskCacheTests {
    let clock = ManualClock()
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    var folder: String { directory.path("caches/own") }
    var file: String { folder + "/Cache.db" }

    /// A cache that stores everything on disk, by default without memory.
    func cache(memory: Int = 0, disk: Int = 1 << 20) -> URLCache {
        clock.drive(
            URLCache(
                memoryCapacity: memory,
                diskCapacity: disk,
                directory: URL(fileURLWithPath: folder)
            )
        )
    }

    func store(_ cache: URLCache, _ name: String, size: Int = 100) throws {
        let url = "http://example.com/\(name)"
        let cached = CachedURLResponse(
            response: try CacheSamples.response(url: url),
            data: Data(repeating: UInt8(ascii: "x"), count: size)
        )
        cache.storeCachedResponse(cached, for: try CacheSamples.request(url))
    }

    func has(_ cache: URLCache, _ name: String) throws -> Bool {
        let request = try CacheSamples.request("http://example.com/\(name)")
        return cache.cachedResponse(for: request) != nil
    }

    /// Waits until all data is written and the queue no longer holds the cache. The file is then
    /// closed with the cache's last reference.
    func drain(_ cache: URLCache) {
        cache.flush()
        cache.store.queue.sync {}
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func storedResponseIsFoundByTheNextProcess() throws {
        let request = try CacheSamples.request("http://example.com/a", [("A", "1")])
        let response = try CacheSamples.response(
            [
                ("Vary", "A"), ("B", "1"), ("b", "2"), ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"),
                ("Empty", ""), ("Text", "ü€\u{1F600}"),
            ],
            status: 404
        )
        let body = Data((0...255).map { UInt8($0) })
        let first = cache()
        let time = clock.now
        first.storeCachedResponse(
            CachedURLResponse(response: response, data: body),
            for: request
        )
        first.flush()
        clock.advance(by: 100)
        let found = try #require(cache().cachedResponse(for: request))
        let archived = try #require(found.response as? HTTPURLResponse)
        #expect(found.data == body)
        #expect(archived == response)
        #expect(archived.fields == response.fields)
        #expect(archived.httpVersion == "HTTP/1.1")
        #expect(archived.statusCode == 404)
        #expect(found.storagePolicy == .allowed)
        #expect(found.record?.responseTime == time)
        #expect(found.record?.requestTime == time)
        #expect(try cache().cachedResponse(for: CacheSamples.request()) == nil)
    }

    @Test func emptyAndLargeBodiesAreStored() throws {
        for size in [0, 1, 5_000_000] {
            let cache = cache(disk: 200 << 20)
            try store(cache, "\(size)", size: size)
            let request = try CacheSamples.request("http://example.com/\(size)")
            #expect(cache.cachedResponse(for: request)?.data.count == size)
        }
    }

    @Test func nonHTTPResponsesAreStored() throws {
        let response = URLResponse(
            url: try CacheSamples.url("ftp://example.com/a"),
            mimeType: "text/plain",
            expectedContentLength: 7,
            textEncodingName: "utf-8"
        )
        let request = try CacheSamples.request("ftp://example.com/a")
        let cache = cache()
        cache.storeCachedResponse(
            CachedURLResponse(response: response, data: Data([1])),
            for: request
        )
        #expect(cache.cachedResponse(for: request)?.response == response)
    }

    @Test func memoryOnlyResponseIsNotWritten() throws {
        let cache = cache(memory: 1 << 20)
        let request = try CacheSamples.request()
        cache.storeCachedResponse(
            try CacheSamples.cached("secret", policy: .allowedInMemoryOnly),
            for: request
        )
        #expect(cache.cachedResponse(for: request) != nil)
        #expect(cache.currentDiskUsage == 0)
        #expect(!exists(folder))
        // It also removes the older response on disk that it replaces.
        cache.storeCachedResponse(try CacheSamples.cached("a"), for: request)
        #expect(cache.currentDiskUsage > 0)
        cache.storeCachedResponse(
            try CacheSamples.cached("secret", policy: .allowedInMemoryOnly),
            for: request
        )
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func zeroCapacityWritesNothing() throws {
        let cache = cache(memory: 1 << 20, disk: 0)
        try store(cache, "a")
        #expect(try has(cache, "a"))
        #expect(try !has(cache, "b"))
        cache.removeAllCachedResponses()
        cache.flush()
        #expect(!exists(directory.path("caches")))
    }

    @Test func lookupCreatesNoFile() throws {
        let cache = cache()
        #expect(try !has(cache, "a"))
        cache.removeCachedResponses(since: .distantPast)
        cache.removeAllCachedResponses()
        #expect(cache.currentDiskUsage == 0)
        #expect(!exists(folder))
    }

    @Test func onlyTheOwnerCanReadTheDatabase() throws {
        let cache = cache()
        try store(cache, "a")
        cache.flush()
        for (path, rights) in [(folder, 0o700), (file, 0o600), (file + "-wal", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == rights, "\(path)")
        }
    }

    @Test func requestSecretsAreNotWritten() throws {
        let cache = cache()
        let request = try CacheSamples.request(
            "http://user:hidden1@example.com/a",
            [("Authorization", "Bearer hidden2"), ("Cookie", "a=hidden3")]
        )
        cache.storeCachedResponse(try CacheSamples.cached("x", [("Vary", "Cookie")]), for: request)
        #expect(cache.cachedResponse(for: request) != nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            #expect(bytes.range(of: Data("hidden".utf8)) == nil, "\(name)")
        }
    }

    @Test func responseRemovedWhileReadDoesNotReturn() throws {
        let cache = cache(memory: 1 << 20)
        let request = try CacheSamples.request("http://example.com/a")
        try store(cache, "a")
        cache.flush()
        let size = cache.currentMemoryUsage
        // A response that isn't in memory is copied there from the disk,
        cache.memoryCapacity = 0
        cache.memoryCapacity = 1 << 20
        #expect(cache.cachedResponse(for: request) != nil)
        #expect(cache.currentMemoryUsage == size)
        // but not if it is removed after it was read from the disk.
        cache.memoryCapacity = 0
        cache.memoryCapacity = 1 << 20
        let now = clock.now
        let isRead = Mutex(false)
        cache.store.clock.follow {
            let isFirst = isRead.withLock { isRead in
                let isFirst = !isRead
                isRead = true
                return isFirst
            }
            // The lookup in memory reads the clock first, then the lookup on disk.
            if !isFirst { cache.removeCachedResponse(for: request) }
            return now
        }
        #expect(cache.cachedResponse(for: request) != nil)
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.cachedResponse(for: request) == nil)
        cache.store.clock.follow { now }
    }
}
