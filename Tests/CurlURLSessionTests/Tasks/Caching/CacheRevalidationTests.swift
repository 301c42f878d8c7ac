internal import Foundation
internal import HTTPSemantics
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests the revalidation of stale responses.
@Suite(.timeLimit(.minutes(10))) struct CacheRevalidationTests {
    @Test("C19: A stale response is revalidated by its ETag, and a 304 updates its fields")
    func status304UpdatesTheFields() async throws {
        let scene = try CacheScene { request, number in
            let lifetime = number == 1 ? 10 : 100
            return .tagged("body", "\"a\"", to: request)
                .header("Cache-Control", "max-age=\(lifetime)").header("X-Number", "\(number)")
        }
        let first = try await scene.load()
        #expect(first.header("X-Number") == "1")
        #expect(first.header("Age") == nil)
        scene.clock.advance(by: 9)
        let cached = try await scene.load()
        #expect(cached.text == "body")
        #expect(cached.header("X-Number") == "1")
        #expect(cached.header("Age") == "9")
        #expect(scene.server.requestCount == 1)
        scene.clock.advance(by: 11)
        let confirmed = try await scene.load()
        #expect(confirmed.text == "body")
        #expect(confirmed.response.statusCode == 200)
        #expect(confirmed.header("X-Number") == "2")
        #expect(confirmed.header("Age") == nil)
        #expect(scene.server.requests[1].header("If-None-Match") == "\"a\"")
        scene.clock.advance(by: 90)
        #expect(try await scene.load().header("X-Number") == "2")
        #expect(scene.server.requestCount == 2)
    }

    @Test func changedResponseReplacesTheStoredOne() async throws {
        let scene = try CacheScene { request, number in
            .tagged("\(number)", number == 1 ? "\"a\"" : "\"b\"", to: request)
                .header("Cache-Control", "max-age=10")
        }
        #expect(try await scene.load().text == "1")
        scene.clock.advance(by: 20)
        #expect(try await scene.load().text == "2")
        #expect(scene.server.requests[1].header("If-None-Match") == "\"a\"")
        #expect(try await scene.load().text == "2")
        scene.clock.advance(by: 20)
        #expect(try await scene.load().text == "2")
        #expect(scene.server.requests[2].header("If-None-Match") == "\"b\"")
        #expect(scene.server.requestCount == 3)
    }

    @Test func heuristicLifetimeIsATenthOfTheAge() async throws {
        let clock = ManualClock()
        let modified = HTTPDate.text(from: clock.now.addingTimeInterval(-1000))
        let scene = try CacheScene { request, number in
            let isKnown = request.header("If-Modified-Since") == modified
            return (isKnown ? Reply.status(304) : .text("\(number)"))
                .header("Last-Modified", modified)
        }
        #expect(try await scene.load().text == "1")
        scene.clock.advance(by: 99)
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 1)
        scene.clock.advance(by: 2)
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 2)
        #expect(scene.server.requests[1].header("If-Modified-Since") == modified)
    }

    @Test(arguments: ["no-cache", "max-age=0", "max-age=0, must-revalidate"])
    func noCacheResponseIsRevalidated(_ directives: String) async throws {
        let scene = try CacheScene { request, number in
            .tagged("\(number)", "\"a\"", to: request).header("Cache-Control", directives)
        }
        for count in 1...3 {
            #expect(try await scene.load().text == "1")
            #expect(scene.server.requestCount == count)
        }
    }

    @Test func responseWithoutCacheFieldsIsNotStored() async throws {
        let scene = try CacheScene { .text("\($1)") }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load().text == "2")
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(scene.server.requests[1].header("If-None-Match") == nil)
    }

    @Test func cookiesOfA304AreStored() async throws {
        let scene = try CacheScene { request, _ in
            .tagged("body", "\"a\"", to: request).header("Cache-Control", "no-cache")
                .header("Set-Cookie", request.header("If-None-Match") == nil ? "a=1" : "b=2")
        }
        _ = try await scene.load()
        let confirmed = try await scene.load()
        #expect(confirmed.text == "body")
        let storage = try #require(scene.session.configuration.httpCookieStorage)
        let names = storage.cookies(for: try scene.server.at("/"))?.map(\.name).sorted()
        #expect(names == ["a", "b"])
        storage.removeCookies(since: .distantPast)
        // A cached response doesn't set its cookies again.
        _ = try await scene.load(policy: .returnCacheDataDontLoad)
        #expect(storage.cookies?.isEmpty == true)
    }

    @Test func status304ForAnotherValidatorIsIgnored() async throws {
        let scene = try CacheScene { request, number in
            request.header("If-None-Match") == nil
                ? Reply.text("\(number)").header("ETag", "\"\(number)\"")
                    .header("Cache-Control", "no-cache")
                : Reply.status(304).header("ETag", "\"other\"")
        }
        #expect(try await scene.load().text == "1")
        let delegate = SessionDelegate()
        #expect(try await scene.load(delegate: delegate).text == "3")
        #expect(scene.server.requests[1].header("If-None-Match") == "\"1\"")
        #expect(scene.server.requests[2].header("If-None-Match") == nil)
        #expect(scene.server.requestCount == 3)
        // The task sent two requests.
        let transactions = try #require(delegate.metrics.first).transactionMetrics
        #expect(transactions.map(\.resourceFetchType) == [.networkLoad, .networkLoad])
        let statuses = transactions.map { ($0.response as? HTTPURLResponse)?.statusCode }
        #expect(statuses == [304, 200])
        let first = try #require(transactions.first?.responseEndDate)
        let second = try #require(transactions.last?.requestStartDate)
        #expect(first <= second)
    }

    @Test func programsConditionalRequestsBypassTheCache() async throws {
        let scene = try CacheScene { request, _ in
            .tagged("body", "\"a\"", to: request).header("Cache-Control", "max-age=60")
        }
        _ = try await scene.load()
        let answer = try await scene.load(fields: ["If-None-Match": "\"a\""])
        #expect(answer.response.statusCode == 304)
        #expect(answer.text.isEmpty)
        #expect(scene.server.requestCount == 2)
        #expect(try await scene.load().text == "body")
        #expect(scene.server.requestCount == 2)
    }

    @Test func headIsAnsweredFromTheResponseToGet() async throws {
        let scene = try CacheScene { request, number in
            .tagged("\(number)", number < 3 ? "\"a\"" : "\"b\"", to: request)
                .header("Cache-Control", "max-age=60")
        }
        _ = try await scene.load()
        let head = try await scene.load("/", "HEAD")
        #expect(head.response.statusCode == 200)
        #expect(head.text.isEmpty)
        #expect(head.header("ETag") == "\"a\"")
        #expect(scene.server.requestCount == 1)
        // A HEAD request that is sent refreshes the stored response,
        scene.clock.advance(by: 50)
        _ = try await scene.load("/", "HEAD", policy: .reloadRevalidatingCacheData)
        scene.clock.advance(by: 50)
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 2)
        // or invalidates it.
        _ = try await scene.load("/", "HEAD", policy: .reloadRevalidatingCacheData)
        #expect(try await scene.load().text == "4")
        #expect(scene.server.requestCount == 4)
    }

    // MARK: - Stale while revalidating

    @Test func staleResponseIsUsedWhileRevalidating() async throws {
        let cache = RecordingCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let scene = try CacheScene(cache: cache) { request, number in
            .tagged("\(number)", "\"\(number)\"", to: request)
                .header("Cache-Control", "max-age=10, stale-while-revalidate=60")
                .header("Set-Cookie", "n=\(number)")
        }
        #expect(try await scene.load().text == "1")
        scene.clock.advance(by: 20)
        #expect(try await scene.load().text == "1")
        try await cache.stored.wait { $0.contains("2") ? () : nil }
        #expect(scene.server.requests[1].header("If-None-Match") == "\"1\"")
        #expect(try await scene.load().text == "2")
        #expect(scene.server.requestCount == 2)
        // The response is too old for `stale-while-revalidate`.
        scene.clock.advance(by: 80)
        #expect(try await scene.load().text == "3")
    }

    @Test func oneRevalidationRunsAtATime() async throws {
        let gate = Gate()
        let cache = RecordingCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let scene = try CacheScene(cache: cache) { _, number in
            let reply = Reply.text("\(number)")
                .header("Cache-Control", "max-age=10, stale-while-revalidate=60")
            return number == 1 ? reply : reply.after(gate)
        }
        _ = try await scene.load()
        scene.clock.advance(by: 20)
        for _ in 0..<5 { #expect(try await scene.load().text == "1") }
        gate.open()
        try await cache.stored.wait { $0.contains("2") ? () : nil }
        #expect(try await scene.load().text == "2")
        #expect(scene.server.requestCount == 2)
    }
}
