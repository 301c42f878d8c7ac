internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests how cached responses are delivered and measured.
@Suite(.timeLimit(.minutes(10))) struct CachedDeliveryTests {
    private static let size = 2_000_000
    private static let content = Data([UInt8](count: size) { UInt8(truncatingIfNeeded: $0 &* 13) })

    /// A scene with `/large` in its cache.
    private static func scene(_ delegate: (any URLSessionDelegate)? = nil) async throws
        -> CacheScene
    {
        let scene = try CacheScene(memory: 40 << 20, delegate: delegate) { _, _ in
            Reply(
                headers: [("Cache-Control", "max-age=60"), ("Content-Type", "text/x")],
                body: .bytes([UInt8](Self.content))
            )
        }
        let (data, _) = try await scene.session.data(from: scene.server.at("/large"))
        #expect(data == content)
        #expect(scene.cache.currentMemoryUsage > size)
        return scene
    }

    @Test func everyTaskKindGetsTheCachedBody() async throws {
        let delegate = SessionDelegate()
        let scene = try await Self.scene(delegate)
        let url = try scene.server.at("/large")
        let (data, response) = try await scene.session.data(from: url)
        #expect(data == Self.content)
        #expect(response.mimeType == "text/x")
        #expect(response.expectedContentLength == Int64(Self.size))
        let handlerData: Data? = await awaitHandler { done in
            scene.session.dataTask(with: url) { data, _, _ in done(data) }.resume()
        }
        #expect(handlerData == Self.content)
        let (bytes, _) = try await scene.session.bytes(from: url)
        var read = Data()
        for try await byte in bytes { read.append(byte) }
        #expect(read == Self.content)
        let before = delegate.events.count
        let completions = delegate.completions
        let task = scene.session.dataTask(with: url)
        task.resume()
        try await delegate.completion(completions + 1)
        #expect(delegate.data == Self.content)
        #expect(delegate.events[before] == .response(200))
        #expect(task.countOfBytesReceived == Int64(Self.size))
        #expect(task.countOfBytesExpectedToReceive == Int64(Self.size))
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    @Test func delegateCanAnswerLater() async throws {
        let pending = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.response = { _, answer in
                pending.update { $0 = { answer(.allow) } }
            }
        }
        let scene = try await Self.scene(delegate)
        let task = scene.session.dataTask(with: try scene.server.at("/large"))
        let completions = delegate.completions
        task.resume()
        let answer = try await pending.wait { $0 }
        #expect(delegate.data.isEmpty)
        // At most one window is read before the delegate answers.
        #expect(task.countOfBytesReceived < Int64(Self.size))
        answer()
        try await delegate.completion(completions + 1)
        #expect(delegate.data == Self.content)
        scene.session.invalidateAndCancel()
    }

    @Test func cachedResponseCanBecomeADownload() async throws {
        let found = Watched<Data?>(nil)
        let delegate = SessionDelegate { answers in
            answers.response = { $1(.becomeDownload) }
            answers.file = { file in
                let data = try? Data(contentsOf: file)
                found.update { $0 = data }
            }
        }
        let scene = try await Self.scene(delegate)
        let completions = delegate.completions
        scene.session.dataTask(with: try scene.server.at("/large")).resume()
        try await delegate.completion(completions + 1)
        #expect(found.read { $0 } == Self.content)
        #expect(scene.server.requestCount == 1)
        scene.session.invalidateAndCancel()
    }

    @Test func responseThatBecomesADownloadIsNotStored() async throws {
        let delegate = SessionDelegate { $0.response = { $1(.becomeDownload) } }
        let scene = try CacheScene(delegate: delegate) { .fresh("\($1)") }
        scene.session.dataTask(with: try scene.request()).resume()
        try await delegate.completion()
        #expect(delegate.events.contains(.becameDownload))
        #expect(!delegate.events.contains(.proposal(bytes: 1)))
        #expect(try await scene.load().text == "2")
        scene.session.invalidateAndCancel()
    }

    @Test func refusedCachedResponseCancelsTheTask() async throws {
        let delegate = SessionDelegate { $0.response = { $1(.cancel) } }
        let scene = try await Self.scene(delegate)
        scene.session.dataTask(with: try scene.server.at("/large")).resume()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(delegate.data.isEmpty)
        scene.session.invalidateAndCancel()
    }

    @Test func suspendedTaskGetsNoFurtherBytes() async throws {
        let delegate = SessionDelegate { answers in
            answers.act = { event, task in if event == .response(200) { task?.suspend() } }
        }
        let scene = try await Self.scene(delegate)
        let completions = delegate.completions
        let task = scene.session.dataTask(with: try scene.server.at("/large"))
        task.resume()
        try await delegate.event(.response(200))
        #expect(task.state == .suspended)
        #expect(delegate.completions == completions)
        task.resume()
        try await delegate.completion(completions + 1)
        #expect(delegate.data == Self.content)
        scene.session.invalidateAndCancel()
    }

    @Test func manyConcurrentTasksAreAnswered() async throws {
        let scene = try CacheScene { request, _ in .fresh(request.path) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let path = "/\(index % 20)"
                    return try await scene.load(path).text == path
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        for index in 0..<20 {
            let before = scene.server.requestCount
            _ = try await scene.load("/\(index)")
            #expect(scene.server.requestCount == before)
        }
    }

    @Test func cancellationAtAnyMomentEndsEachTaskOnce() async throws {
        let delegate = SessionDelegate()
        let directory = try TemporaryDirectory()
        let cache = URLCache(
            memoryCapacity: 0,
            diskCapacity: 40 << 20,
            diskPath: directory.path
        )
        let scene = try CacheScene(cache: cache, delegate: delegate) { .fresh("\($1)") }
        let url = try scene.server.at("/")
        let count = 200
        for index in 0..<count {
            let task = scene.session.dataTask(with: url)
            task.resume()
            if index % 2 == 1 { task.cancel() }
        }
        try await delegate.completion(count)
        let completed = delegate.events.filter { event in
            if case .completed = event { true } else { false }
        }
        #expect(completed.count == count)
        #expect(completed.filter { $0 == .completed(nil) }.count >= count / 2)
        scene.session.invalidateAndCancel()
    }

    // MARK: - Metrics

    @Test("C19: Metrics show which responses came from the cache")
    func metricsShowCachedResponses() async throws {
        let scene = try CacheScene { request, _ in
            .tagged("body", "\"a\"", to: request).header("Cache-Control", "max-age=10")
        }
        func transactions() async throws -> [URLSessionTaskTransactionMetrics] {
            let delegate = SessionDelegate()
            _ = try await scene.load(delegate: delegate)
            return try #require(delegate.metrics.first).transactionMetrics
        }
        let loaded = try await transactions()
        #expect(loaded.map(\.resourceFetchType) == [.networkLoad])
        let cached = try await transactions()
        #expect(cached.map(\.resourceFetchType) == [.localCache])
        #expect((cached[0].response as? HTTPURLResponse)?.statusCode == 200)
        #expect(cached[0].networkProtocolName == nil)
        #expect(cached[0].requestStartDate == nil)
        #expect(cached[0].fetchStartDate != nil)
        scene.clock.advance(by: 20)
        let confirmed = try await transactions()
        #expect(confirmed.map(\.resourceFetchType) == [.localCache, .networkLoad])
        let statuses = confirmed.map { ($0.response as? HTTPURLResponse)?.statusCode }
        #expect(statuses == [200, 304])
        // The first transaction is the cache's, the second one the network's.
        #expect(confirmed.map(\.networkProtocolName) == [nil, "http/1.1"])
        // On a busy machine the first connection may be too old to be reused by then.
        let isReused = scene.server.acceptedConnectionCount == 1
        #expect(confirmed.map(\.isReusedConnection) == [false, isReused])
        #expect(confirmed.map { $0.requestStartDate == nil } == [true, false])
        #expect(confirmed.map { $0.responseEndDate == nil } == [true, false])
        #expect(confirmed.map { $0.countOfResponseHeaderBytesReceived > 0 } == [false, true])
        #expect(confirmed.map(\.countOfResponseBodyBytesReceived) == [0, 0])
        let begun = try confirmed.map { try #require($0.fetchStartDate) }
        #expect(begun[0] <= begun[1])
    }
}
