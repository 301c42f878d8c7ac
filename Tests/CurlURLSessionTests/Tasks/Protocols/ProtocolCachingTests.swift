import CurlURLSession
import Foundation
import TestSupport
import Testing

/// Tests which responses of protocols the session's cache stores.
@Suite(.timeLimit(.minutes(10)))
struct ProtocolCachingTests {
    private let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)

    private func session(_ delegate: (any URLSessionDelegate)? = nil) -> MockSession {
        MockSession(delegate: delegate) { $0.urlCache = cache }
    }

    private func url(
        _ policy: URLCache.StoragePolicy,
        headers: [String: String] = [:],
        status: Int = 200
    ) throws -> URL {
        try ScriptedMock.url { mock in
            mock.respond(status, headers: headers, policy: policy)
            mock.load("con")
            mock.load("tent")
            mock.finish()
        }
    }

    private func stored(_ url: URL) -> CachedURLResponse? {
        cache.cachedResponse(for: URLRequest(url: url))
    }

    @Test(arguments: [URLCache.StoragePolicy.allowed, .allowedInMemoryOnly])
    func allowedProtocolResponseIsStored(policy: URLCache.StoragePolicy) async throws {
        let url = try url(policy)
        #expect(try await session().text(url).0 == "content")
        let cached = try #require(stored(url))
        #expect(cached.data == Data("content".utf8))
        #expect(cached.storagePolicy == policy)
        #expect((cached.response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func storedResponseIsPassedToTheNextProtocol() async throws {
        let url = try ScriptedMock.url { mock in
            if let cached = mock.cachedResponse {
                mock.client?.urlProtocol(mock, cachedResponseIsValid: cached)
            } else {
                mock.respond(policy: .allowed)
                mock.load("first")
                mock.finish()
            }
        }
        let mocks = session()
        #expect(try await mocks.text(url).0 == "first")
        cache.storeCachedResponse(
            CachedURLResponse(
                response: try #require(stored(url)).response,
                data: Data("second".utf8)
            ),
            for: URLRequest(url: url)
        )
        #expect(try await mocks.text(url).0 == "second")
    }

    @Test func reloadedProtocolResponseIsStored() async throws {
        let url = try url(.allowed)
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(try await session().text(request).0 == "content")
        #expect(stored(url) != nil)
    }

    @Test func forbiddenResponseIsNotStored() async throws {
        let mocks = session()
        let refused = [
            try url(.notAllowed), try url(.allowed, headers: ["Cache-Control": "no-store"]),
            try url(.allowed, status: 206), try url(.allowed, status: 500),
        ]
        for url in refused {
            #expect(try await mocks.text(url).0 == "content")
            #expect(stored(url) == nil)
        }
        let url = try url(.allowed)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        #expect(try await mocks.text(request).0 == "content")
        #expect(stored(url) == nil)
    }

    @Test func truncatedOrTooLargeResponseIsNotStored() async throws {
        let mocks = session()
        let failing = try ScriptedMock.url { mock in
            mock.respond(policy: .allowed)
            mock.load("half")
            mock.fail(URLError(.networkConnectionLost))
        }
        await #expect(throws: URLError.self) { try await mocks.text(failing) }
        #expect(stored(failing) == nil)
        let large = try ScriptedMock.url { mock in
            mock.respond(policy: .allowed)
            for _ in 0..<40 { mock.load(String(repeating: "x", count: 32 << 10)) }
            mock.finish()
        }
        #expect(try await mocks.text(large).0.utf8.count == 40 * 32 << 10)
        #expect(stored(large) == nil)
    }

    @Test(arguments: [true, false])
    func delegateDecidesWhatIsStored(isStored: Bool) async throws {
        let journal = TaskJournal(stored: { isStored ? $0 : nil })
        let mocks = session(journal)
        let url = try ScriptedMock.url { mock in
            mock.respond(policy: .allowed)
            mock.load("content")
            mock.finish()
        }
        mocks.session.dataTask(with: url).resume()
        let expected = [
            "response 200", "data content", "cache content", "metrics", "completed",
        ]
        #expect(try await journal.entriesToEnd() == expected)
        #expect((stored(url) != nil) == isStored)
    }
}
