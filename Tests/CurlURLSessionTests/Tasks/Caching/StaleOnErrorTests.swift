internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests stale responses that replace errors (RFC 5861, 4).
@Suite(.timeLimit(.minutes(10))) struct StaleOnErrorTests {
    enum Failure: Sendable, CaseIterable {
        case serverError
        case closed
    }

    private static func scene(_ failure: Failure, _ directives: String) throws -> CacheScene {
        try CacheScene { _, number in
            guard number > 1 else {
                return Reply.text("good").header("Cache-Control", directives)
                    .header("ETag", "\"a\"")
            }
            switch failure {
            case .serverError: return Reply.text("bad", status: 503).header("Set-Cookie", "a=1")
            case .closed: return .steps([])
            }
        }
    }

    @Test("C19: stale-if-error lets a stale response replace an error", arguments: Failure.allCases)
    func staleResponseReplacesAnErrorWhenAllowed(_ failure: Failure) async throws {
        let scene = try Self.scene(failure, "max-age=10, stale-if-error=60")
        #expect(try await scene.load().text == "good")
        scene.clock.advance(by: 20)
        let delegate = SessionDelegate()
        let answer = try await scene.load(delegate: delegate)
        #expect(answer.text == "good")
        #expect(answer.response.statusCode == 200)
        #expect(answer.header("Age") == "20")
        let transactions = try #require(delegate.metrics.first).transactionMetrics
        #expect(transactions.map(\.resourceFetchType) == [.localCache, .networkLoad])
        #expect((transactions[0].response as? HTTPURLResponse)?.statusCode == 200)
        let status = (transactions[1].response as? HTTPURLResponse)?.statusCode
        #expect(status == (failure == .serverError ? 503 : nil))
        #expect(scene.server.requests[1].header("If-None-Match") == "\"a\"")
    }

    @Test(
        arguments: Failure.allCases,
        ["max-age=10", "max-age=10, stale-if-error=5", "no-cache, stale-if-error=60"]
    )
    func staleResponseIsNotUsedWhenForbidden(_ failure: Failure, _ directives: String) async throws
    {
        let scene = try Self.scene(failure, directives)
        #expect(try await scene.load().text == "good")
        scene.clock.advance(by: 20)
        switch failure {
        case .serverError:
            #expect(try await scene.load().response.statusCode == 503)
        case .closed:
            let error = try await urlError { _ = try await scene.load() }
            #expect(error.code == .networkConnectionLost)
        }
        // The stored response remains available to requests that accept stale ones.
        #expect(try await scene.load(policy: .returnCacheDataElseLoad).text == "good")
    }

    @Test func unreachableServerIsAnError() async throws {
        let clock = ManualClock()
        let cache = clock.drive(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0))
        let text = "http://127.0.0.1:\(try LoopbackServer.unusedPort())"
        let url = try #require(URL(string: text + "/stored"))
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: ["Cache-Control": "max-age=10, stale-if-error=60"]
        )
        cache.storeCachedResponse(
            CachedURLResponse(response: try #require(response), data: Data("good".utf8)),
            for: URLRequest(url: url)
        )
        clock.advance(by: 20)
        let session = URLSession.test { $0.urlCache = cache }
        let (data, _) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "good")
        let other = try #require(URL(string: text + "/other"))
        let error = try await urlError { _ = try await session.data(from: other) }
        #expect(error.code == .cannotConnectToHost)
    }

    @Test func cancellationIsNotReplacedByAStaleResponse() async throws {
        let gate = Gate()
        let scene = try CacheScene { _, number in
            let reply = Reply.text("good")
                .header("Cache-Control", "max-age=10, stale-if-error=60")
            return number == 1 ? reply : reply.after(gate)
        }
        _ = try await scene.load()
        scene.clock.advance(by: 20)
        let delegate = SessionDelegate()
        let task = scene.session.dataTask(with: try scene.request())
        task.delegate = delegate
        task.resume()
        _ = try await scene.server.requestHead(1)
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(delegate.data.isEmpty)
        gate.open()
    }
}
