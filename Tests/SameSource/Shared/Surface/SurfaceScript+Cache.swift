import Foundation

extension SurfaceScript {
    private static func response(_ stage: Stage, _ path: String) -> CachedURLResponse? {
        let response = HTTPURLResponse(
            url: stage.url(path),
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: ["Cache-Control": "max-age=600", "Content-Type": "text/plain"]
        )
        return response.map { CachedURLResponse(response: $0, data: Data("cached".utf8)) }
    }

    static func cache(_ stage: Stage) {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        stage.log("\(cache.memoryCapacity), \(cache.diskCapacity)")
        stage.log("used \(cache.currentMemoryUsage), \(cache.currentDiskUsage)")
        let (a, b) = (URLRequest(url: stage.url("/a")), URLRequest(url: stage.url("/b")))
        guard let first = response(stage, "/a"), let second = response(stage, "/b") else { return }
        cache.storeCachedResponse(first, for: a)
        cache.storeCachedResponse(second, for: b)
        stage.log("a: \(cache.cachedResponse(for: a)?.data.count ?? -1)")
        stage.log("used: \(cache.currentMemoryUsage > 0)")
        cache.removeCachedResponse(for: a)
        stage.log("a: \(cache.cachedResponse(for: a)?.data.count ?? -1)")
        stage.log("b: \(cache.cachedResponse(for: b)?.data.count ?? -1)")
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -60))
        stage.log("b: \(cache.cachedResponse(for: b)?.data.count ?? -1)")
        cache.storeCachedResponse(second, for: b)
        cache.removeAllCachedResponses()
        stage.log("b: \(cache.cachedResponse(for: b)?.data.count ?? -1)")
        cache.storeCachedResponse(second, for: b)
        cache.memoryCapacity = 0
        cache.diskCapacity = 0
        stage.log("b: \(cache.cachedResponse(for: b)?.data.count ?? -1)")
        for policy in [URLCache.StoragePolicy.allowed, .allowedInMemoryOnly, .notAllowed] {
            let same = URLCache.StoragePolicy(rawValue: policy.rawValue) ?? .allowed
            stage.log("policy \(policy.rawValue): \(hasValue(policy, equalTo: same))")
        }
    }

    static func cachedResponses(_ stage: Stage) {
        guard let plain = response(stage, "/a") else { return }
        describe(plain, stage)
        let marked = CachedURLResponse(
            response: plain.response,
            data: plain.data,
            userInfo: ["who": "ada"],
            storagePolicy: .allowedInMemoryOnly
        )
        describe(marked, stage)
        let copy = marked.copy() as? CachedURLResponse
        stage.log("copied: \(marked.isEqual(copy)), \(marked.hash == copy?.hash)")
        let zoned = plain.copy(with: nil) as? CachedURLResponse
        stage.log("equal: \(plain == zoned)")
    }

    private static func describe(_ cached: CachedURLResponse, _ stage: Stage) {
        stage.log("\(cached.response.url?.path ?? "nowhere"): \(cached.data.count) bytes")
        stage.log("policy \(cached.storagePolicy.rawValue)")
        stage.log("user \(cached.userInfo?["who"] as? String ?? "none")")
    }

    /// A cache with lookups by task.
    static func cacheOfATask(_ stage: Stage) async throws {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: stage.url("/a"))
        guard let cached = response(stage, "/a") else { return }
        cache.storeCachedResponse(cached, for: task)
        let found = await withCheckedContinuation { continuation in
            cache.getCachedResponse(for: task) { continuation.resume(returning: $0) }
        }
        stage.log("\(found?.data.count ?? -1)")
        cache.removeCachedResponse(for: task)
        let lost = await withCheckedContinuation { continuation in
            cache.getCachedResponse(for: task) { continuation.resume(returning: $0) }
        }
        stage.log("\(lost?.data.count ?? -1)")
        session.invalidateAndCancel()
    }

    /// Only compiled: it would change the cache of other code in the process.
    static func replaceSharedCache() {
        URLCache.shared = URLCache(
            memoryCapacity: URLCache.shared.memoryCapacity * 2,
            diskCapacity: 0,
            diskPath: nil
        )
    }
}
