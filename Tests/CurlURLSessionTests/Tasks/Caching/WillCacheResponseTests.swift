internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests the delegate's decision about what is stored.
@Suite(.timeLimit(.minutes(10))) struct WillCacheResponseTests {
    private func scene(_ delegate: SessionDelegate) throws -> CacheScene {
        try CacheScene(delegate: delegate) { request, number in
            .tagged("\(number)", "\"a\"", to: request).header("Cache-Control", "max-age=60")
        }
    }

    /// Runs a task whose events go to the session's delegate.
    private func run(_ scene: CacheScene, _ delegate: SessionDelegate) async throws {
        let before = delegate.completions
        scene.session.dataTask(with: try scene.request()).resume()
        try await delegate.completion(before + 1)
    }

    @Test func delegateIsAskedBetweenContentAndEnd() async throws {
        let delegate = SessionDelegate()
        let scene = try scene(delegate)
        try await run(scene, delegate)
        #expect(
            delegate.events == [
                .response(200), .data(1), .proposal(bytes: 1), .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        #expect(scene.server.requestCount == 1)
        // A response from the cache isn't proposed again.
        try await run(scene, delegate)
        #expect(
            delegate.events.dropFirst(5) == [
                .response(200), .data(1), .metrics(transactions: 1), .completed(nil),
            ]
        )
        // Nor is one that a 304 validates.
        scene.clock.advance(by: 100)
        try await run(scene, delegate)
        #expect(
            delegate.events.dropFirst(9) == [
                .response(200), .data(1), .metrics(transactions: 2), .completed(nil),
            ]
        )
        #expect(scene.server.requestCount == 2)
        scene.session.invalidateAndCancel()
    }

    @Test func refusedResponseIsNotStored() async throws {
        let delegate = SessionDelegate { $0.proposal = { $1(nil) } }
        let scene = try scene(delegate)
        for _ in 0..<2 { try await run(scene, delegate) }
        #expect(delegate.text == "12")
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    @Test func changedResponseIsStored() async throws {
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                answer(
                    CachedURLResponse(
                        response: proposed.response,
                        data: Data("changed".utf8),
                        userInfo: ["key": "value"],
                        storagePolicy: .allowedInMemoryOnly
                    )
                )
                // The first answer counts.
                answer(nil)
            }
        }
        let scene = try scene(delegate)
        try await run(scene, delegate)
        #expect(delegate.text == "1")
        scene.clock.advance(by: 30)
        let answer = try await scene.load()
        #expect(answer.text == "changed")
        #expect(answer.header("Age") == "30")
        let stored = scene.cache.cachedResponse(for: try scene.request())
        #expect(stored?.userInfo?["key"] as? String == "value")
        #expect(stored?.storagePolicy == .allowedInMemoryOnly)
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    @Test func responseWithPolicyNotAllowedIsNotStored() async throws {
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                answer(
                    CachedURLResponse(
                        response: proposed.response,
                        data: proposed.data,
                        storagePolicy: .notAllowed
                    )
                )
            }
        }
        let scene = try scene(delegate)
        try await run(scene, delegate)
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    @Test func delegateCanSetAnotherLifetime() async throws {
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                let response = proposed.response.url.flatMap { url in
                    HTTPURLResponse(
                        url: url,
                        statusCode: 200,
                        httpVersion: "HTTP/1.1",
                        headerFields: ["Cache-Control": "max-age=1000"]
                    )
                }
                answer(response.map { CachedURLResponse(response: $0, data: proposed.data) })
            }
        }
        let scene = try scene(delegate)
        try await run(scene, delegate)
        scene.clock.advance(by: 900)
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    // MARK: Responses without caching fields

    /// A scene whose replies have neither a lifetime nor a validator.
    private func plainScene(
        _ delegate: (any URLSessionDelegate)?,
        _ fields: [String: String] = [:]
    ) throws -> CacheScene {
        try CacheScene(delegate: delegate) { _, number in
            fields.reduce(Reply.text("\(number)")) { $0.header($1.key, $1.value) }
        }
    }

    @Test("A delegate can store a response without caching fields, and attach values to it")
    func responseWithoutCachingFieldsCanBeStored() async throws {
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                answer(
                    CachedURLResponse(
                        response: proposed.response,
                        data: proposed.data,
                        userInfo: ["key": "value"],
                        storagePolicy: .allowedInMemoryOnly
                    )
                )
            }
        }
        let scene = try plainScene(delegate)
        try await run(scene, delegate)
        #expect(
            delegate.events == [
                .response(200), .data(1), .proposal(bytes: 1), .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        let stored = scene.cache.cachedResponse(for: try scene.request())
        #expect(stored?.userInfo?["key"] as? String == "value")
        #expect(stored?.storagePolicy == .allowedInMemoryOnly)
        let any = try await scene.load(policy: .returnCacheDataElseLoad)
        #expect(any.text == "1")
        // By the protocol it is stale.
        let next = try await scene.load()
        #expect(next.text == "2")
        scene.session.invalidateAndCancel()
    }

    @Test("A delegate that returns the proposed response stores it, also without caching fields")
    func returnedProposalIsStored() async throws {
        let delegate = SessionDelegate()
        let scene = try plainScene(delegate)
        try await run(scene, delegate)
        let stored = scene.cache.cachedResponse(for: try scene.request())
        #expect(stored?.data == Data("1".utf8))
        scene.session.invalidateAndCancel()
    }

    @Test("A delegate can give a lifetime to a response that has none")
    func delegateCanAddALifetime() async throws {
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                let response = proposed.response.url.flatMap { url in
                    HTTPURLResponse(
                        url: url,
                        statusCode: 200,
                        httpVersion: "HTTP/1.1",
                        headerFields: ["Cache-Control": "max-age=1000"]
                    )
                }
                answer(response.map { CachedURLResponse(response: $0, data: proposed.data) })
            }
        }
        let scene = try plainScene(delegate)
        try await run(scene, delegate)
        scene.clock.advance(by: 900)
        let answer = try await scene.load()
        #expect(answer.text == "1")
        #expect(answer.header("Age") == "900")
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    @Test(
        "A response that must not be stored isn't proposed",
        arguments: [["Cache-Control": "no-store"], ["Vary": "*"]]
    )
    func forbiddenResponseIsNotProposed(_ fields: [String: String]) async throws {
        let delegate = SessionDelegate()
        let scene = try plainScene(delegate, fields)
        try await run(scene, delegate)
        #expect(!delegate.events.contains(.proposal(bytes: 1)))
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    @Test("A response without caching fields isn't stored if the delegate lacks the method")
    func responseWithoutCachingFieldsNeedsTheMethod() async throws {
        let delegate = PlainDelegate()
        let scene = try plainScene(delegate)
        scene.session.dataTask(with: try scene.request()).resume()
        try await delegate.isOver.wait { $0 ? () : nil }
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    // MARK: The answer

    @Test func completionWaitsForTheAnswer() async throws {
        let pending = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                pending.update { $0 = { answer(proposed) } }
            }
        }
        let scene = try scene(delegate)
        let task = scene.session.dataTask(with: try scene.request())
        task.resume()
        let answer = try await pending.wait { $0 }
        #expect(task.state == .running)
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(!delegate.events.contains(.completed(nil)))
        answer()
        try await delegate.completion()
        #expect(scene.cache.currentMemoryUsage > 0)
        scene.session.invalidateAndCancel()
    }

    @Test func taskCanBeCancelledBeforeTheAnswer() async throws {
        let pending = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.proposal = { proposed, answer in
                pending.update { $0 = { answer(proposed) } }
            }
        }
        let scene = try scene(delegate)
        let task = scene.session.dataTask(with: try scene.request())
        task.resume()
        let answer = try await pending.wait { $0 }
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        answer()
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    @Test func unansweredProposalIsNotStored() async throws {
        let delegate = SessionDelegate { $0.proposal = { _, _ in } }
        let scene = try CacheScene(
            delegate: delegate,
            configure: { $0.timeoutIntervalForResource = 6 },
            handler: { .fresh("\($1)") }
        )
        try await run(scene, delegate)
        #expect(delegate.errors.isEmpty)
        #expect(delegate.text == "1")
        #expect(scene.cache.currentMemoryUsage == 0)
        scene.session.invalidateAndCancel()
    }

    @Test func onlyTheDataTasksDelegateIsAsked() async throws {
        let delegate = SessionDelegate { $0.proposal = { $1(nil) } }
        let scene = try scene(delegate)
        let request = try scene.request("/handler")
        let data: Data? = await awaitHandler { done in
            scene.session.dataTask(with: request) { data, _, _ in done(data) }.resume()
        }
        #expect(data != nil)
        _ = try await scene.load("/awaited")
        _ = try await scene.load("/own", delegate: SessionDelegate { $0.proposal = { $1(nil) } })
        let (bytes, _) = try await scene.session.bytes(from: scene.server.at("/bytes"))
        for try await _ in bytes {}
        for path in ["/handler", "/awaited", "/own", "/bytes"] {
            #expect(scene.cache.cachedResponse(for: try scene.request(path)) != nil, "\(path)")
        }
        #expect(!delegate.events.contains(.proposal(bytes: 1)))
        scene.session.invalidateAndCancel()
    }

    @Test func tasksOwnDelegateIsAskedFirst() async throws {
        let delegate = SessionDelegate()
        let own = SessionDelegate { $0.proposal = { $1(nil) } }
        let scene = try scene(delegate)
        let task = scene.session.dataTask(with: try scene.request())
        task.delegate = own
        task.resume()
        try await own.completion()
        #expect(own.events.contains(.proposal(bytes: 1)))
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(delegate.events.isEmpty)
        scene.session.invalidateAndCancel()
    }

    @Test func responseIsStoredWithoutTheDelegateMethod() async throws {
        let delegate = PlainDelegate()
        let scene = try CacheScene(delegate: delegate) { .fresh("\($1)") }
        scene.session.dataTask(with: try scene.request()).resume()
        try await delegate.isOver.wait { $0 ? () : nil }
        #expect(try await scene.load().text == "1")
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    /// A delegate that doesn't implement `willCacheResponse`.
    private final class PlainDelegate: NSObject, URLSessionDataDelegate {
        let isOver = Watched(false)

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            isOver.update { $0 = true }
        }
    }
}
