internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Decisions of a manager's handlers about unusual responses, and what holds without a handler.
@Suite(.timeLimit(.minutes(10))) struct HandlerDecisionTests {
    @Test("S-40: A redirect handler decides about redirects to other schemes, too")
    func redirectHandlerGetsOtherSchemes() async throws {
        let target = "myapp://callback?code=1"
        let server = try LoopbackServer { _ in .redirect(302, to: target) }
        let manager = URLSessionManager.test()
        let undecided = try await manager.load(server.request())
        #expect(undecided.status == 302)
        #expect(undecided.error == nil)
        let targets = EventRecorder<String>()
        manager.setTaskWillPerformHTTPRedirection { _, _, _, request in
            targets.record(request.url?.absoluteString ?? "")
            return nil
        }
        let refused = try await manager.load(server.request())
        #expect(refused.status == 302)
        #expect(targets.events == [target])
        manager.setTaskWillPerformHTTPRedirection { _, _, _, request in request }
        let followed = try await manager.load(server.request())
        #expect(followed.code == -1002)
        #expect(server.requestCount == 3)
    }

    @Test("S-50: A cache handler can store a response without caching fields")
    func cacheHandlerGetsResponsesWithoutCachingFields() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let cache = try #require(manager.session.configuration.urlCache)
        let request = try server.request()
        _ = try await manager.load(request)
        #expect(cache.cachedResponse(for: request) == nil)
        manager.setDataTaskWillCacheResponse { _, _, proposed in
            CachedURLResponse(
                response: proposed.response,
                data: proposed.data,
                userInfo: ["key": "value"],
                storagePolicy: .allowedInMemoryOnly
            )
        }
        _ = try await manager.load(request)
        let stored = cache.cachedResponse(for: request)
        #expect(stored?.data == Data("hello".utf8))
        #expect(stored?.userInfo?["key"] as? String == "value")
    }

    @Test("The serializer's Content-Type is the only one, and a raw body is sent as a form")
    func serializersContentTypeIsTheOnlyOne() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.requestSerializer = JSONRequestSerializer()
        try await manager.post("p", parameters: ["k": 1])
        let raw = try server.request("/raw", method: "POST", body: Data("k=1".utf8))
        _ = try await manager.load(raw)
        let types = server.requests.map { $0.headers("Content-Type") }
        #expect(types == [["application/json"], ["application/x-www-form-urlencoded"]])
    }
}
