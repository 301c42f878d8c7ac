internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests which sessions share a cache, in memory and on disk.
@Suite(.timeLimit(.minutes(10))) struct SharedCacheTests {
    @Test func twoSessionsCanShareACache() async throws {
        let scene = try CacheScene { .fresh("\($1)") }
        #expect(try await scene.load().text == "1")
        let other = URLSession.test { $0.urlCache = scene.cache }
        let (data, _) = try await other.data(for: scene.request())
        #expect(String(decoding: data, as: UTF8.self) == "1")
        #expect(scene.server.requestCount == 1)
    }

    /// It has neither the fragment nor the password of the first request's URL.
    @Test func cachedResponseHasTheRequestsURL() async throws {
        let server = try LoopbackServer { _ in
            .text("body").header("Cache-Control", "public, max-age=3600")
        }
        let session = URLSession.test()
        let secret = "http://user:secret@127.0.0.1:\(server.port)/#first"
        let texts = [secret, "\(server.url)/#second", "\(server.url)/"]
        for text in texts {
            let url = try #require(URL(string: text))
            let (_, response) = try await session.data(from: url)
            #expect(response.url == url)
        }
        #expect(server.requestCount == 1)
        let cache = try #require(session.configuration.urlCache)
        let cached = cache.cachedResponse(for: URLRequest(url: try server.at("/")))
        #expect(cached?.response.url?.absoluteString.contains("secret") == false)
        session.invalidateAndCancel()
    }

    @Test func ephemeralSessionsHaveTheirOwnCache() async throws {
        let server = try LoopbackServer { _ in .fresh("body") }
        let sessions = [URLSession.test(), URLSession.test()]
        for session in sessions {
            for _ in 0..<2 { _ = try await session.data(from: server.at("/")) }
        }
        #expect(server.requestCount == 2)
        #expect(sessions[0].configuration.urlCache !== sessions[1].configuration.urlCache)
    }

    @Test func cacheWithoutCapacityKeepsNothing() async throws {
        let scene = try CacheScene(memory: 0) { .fresh("\($1)") }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load().text == "2")
    }

    @Test("C19: A session looks up and stores responses in a program's URLCache subclass")
    func sessionUsesTheProgramsURLCacheSubclass() async throws {
        let cache = RecordingCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let scene = try CacheScene(cache: cache) { .fresh("\($1)") }
        #expect(try await scene.load("/a").text == "1")
        #expect(try await scene.load("/a").text == "1")
        #expect(cache.lookUps.read { $0 } == ["/a", "/a"])
        #expect(cache.stored.read { $0 } == ["1"])
        // The subclass may return any response.
        let url = try scene.server.at("/b")
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: ["Date": scene.date(-5), "Cache-Control": "max-age=3600"]
        )
        let canned = CachedURLResponse(
            response: try #require(response),
            data: Data("canned".utf8)
        )
        cache.canned.update { $0 = canned }
        let answer = try await scene.load("/b")
        #expect(answer.text == "canned")
        #expect(answer.header("Age") == "5")
        let plain = URLResponse(
            url: url,
            mimeType: "text/plain",
            expectedContentLength: 3,
            textEncodingName: nil
        )
        // HTTP's rules don't apply to it. It answers requests that accept any cached response.
        cache.canned.update { $0 = CachedURLResponse(response: plain, data: Data("any".utf8)) }
        let request = try scene.request("/b", policy: .returnCacheDataDontLoad)
        let (data, other) = try await scene.session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "any")
        #expect(!(other is HTTPURLResponse))
        #expect(try await scene.load("/b").text == "2")
        #expect(scene.server.requestCount == 2)
    }

    @Test func taskCanBeCancelledDuringTheLookup() async throws {
        let gate = Gate()
        let cache = SlowCache(gate)
        let scene = try CacheScene(cache: cache) { .fresh("\($1)") }
        let delegate = SessionDelegate()
        let task = scene.session.dataTask(with: try scene.request())
        task.delegate = delegate
        task.resume()
        task.cancel()
        // The task ends at once, although the lookup hasn't returned.
        #expect(try await delegate.failure().code == .cancelled)
        gate.open()
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 1)
    }

    /// Blocks lookups until the gate opens.
    private final class SlowCache: URLCache, @unchecked Sendable {
        private let gate: Gate

        init(_ gate: Gate) {
            self.gate = gate
            super.init(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        }

        override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
            gate.waitBlocking()
            return super.cachedResponse(for: request)
        }
    }

    @Test func subclassIsNotOfferedTooLargeResponses() async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(Int64.max)\r\n\r\n"
        let cache = RecordingCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let scene = try CacheScene(cache: cache) { _, _ in
            .steps([.send(head), .send("beginning")])
        }
        let error = try await urlError { _ = try await scene.load("/") }
        #expect(error.code == .networkConnectionLost)
        #expect(cache.stored.read { $0 }.isEmpty)
    }

    @Test(.timeLimit(.minutes(10)))
    func unusedCacheIsReleased() async throws {
        let isGone = Gate()
        try await useCache(isGone)
        try await isGone.wait()
    }

    /// Uses the cache in every way: load, hit, validation, background revalidation, fallback after
    /// an error, refusal to load, and cancellation.
    private func useCache(_ isGone: Gate) async throws {
        let gate = Gate()
        let scene = try CacheScene(cache: WatchedCache(isGone)) { request, number in
            switch request.path {
            case "/closed": number > 1 ? .steps([]) : lasting("stale-if-error=60")
            case "/held": Reply.text("").after(gate)
            case "/renewed": lasting("stale-while-revalidate=60")
            default: .tagged("body", "\"a\"", to: request).header("Cache-Control", "max-age=10")
            }
        }
        _ = try await scene.load("/closed")
        for _ in 0..<2 {
            for path in ["/", "/closed", "/renewed"] { _ = try await scene.load(path) }
            scene.clock.advance(by: 20)
        }
        _ = try await scene.load("/renewed")
        let missing = try scene.request("/missing", policy: .returnCacheDataDontLoad)
        _ = try? await scene.session.data(for: missing)
        let task = scene.session.dataTask(with: try scene.request("/held"))
        task.resume()
        task.cancel()
        gate.open()
        scene.session.finishTasksAndInvalidate()
    }

    /// Opens the gate when it is deallocated.
    private final class WatchedCache: URLCache, @unchecked Sendable {
        private let isGone: Gate

        init(_ isGone: Gate) {
            self.isGone = isGone
            super.init(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        }

        deinit { isGone.open() }
    }

    // MARK: - Disk

    private func flush(_ session: URLSession) async {
        await withCheckedContinuation { continuation in
            session.flush { continuation.resume() }
        }
    }

    private func onDisk(_ directory: TemporaryDirectory, memory: Int = 0) -> URLCache {
        URLCache(memoryCapacity: memory, diskCapacity: 8 << 20, diskPath: directory.path)
    }

    @Test("C19: A new URLCache finds the responses on disk", arguments: [0, 1 << 20])
    func newCacheFindsResponsesOnDisk(_ memory: Int) async throws {
        let directory = try TemporaryDirectory()
        let scene = try CacheScene(cache: onDisk(directory, memory: memory)) { .fresh("\($1)") }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load().text == "1")
        await flush(scene.session)
        let next = scene.clock.drive(onDisk(directory, memory: memory))
        #expect(next.currentDiskUsage > 0)
        let other = URLSession.test { $0.urlCache = next }
        for _ in 0..<2 {
            let (data, response) = try await other.data(for: scene.request())
            #expect(String(decoding: data, as: UTF8.self) == "1")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(scene.server.requestCount == 1)
    }

    @Test func resetRemovesCachedResponses() async throws {
        let directory = try TemporaryDirectory()
        let scene = try CacheScene(cache: onDisk(directory)) { .fresh("\($1)") }
        #expect(try await scene.load().text == "1")
        await withCheckedContinuation { continuation in
            scene.session.reset { continuation.resume() }
        }
        #expect(scene.cache.currentDiskUsage == 0)
        #expect(try await scene.load().text == "2")
    }

    @Test func flushCompletesWithoutADisk() async throws {
        for cache in [nil, URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)] {
            let session = URLSession.test { $0.urlCache = cache }
            await flush(session)
        }
    }
}

/// A reply that is fresh for 10 seconds, with another directive.
private func lasting(_ directive: String) -> Reply {
    Reply.text("body").header("Cache-Control", "max-age=10, \(directive)")
}
