internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Uploads of asynchronous sequences by a manager.
@Suite(.timeLimit(.minutes(10))) struct SequenceTaskTests {
    private final class SourceFailure: Error {}

    /// Adapts the second attempt to another URL, and retries once.
    private struct Mover: RequestInterceptor {
        let url: URL?

        func adapt(_ request: URLRequest, for attempt: RequestAttempt) async throws -> URLRequest {
            guard attempt.retryCount > 0 else { return request }
            var request = request
            request.url = url
            return request
        }

        func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
            attempt.retryCount == 0 ? .retry : .doNotRetry
        }
    }

    /// A sequence that can be iterated once.
    private static func sequence(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    private func echo() throws -> LoopbackServer {
        try LoopbackServer { .bytes($0.body) }
    }

    @Test("A-43: A sequence is uploaded by tasks and by asynchronous methods")
    func sequenceIsUploaded() async throws {
        let (server, manager) = (try echo(), URLSessionManager.test())
        let request = try server.request(method: "POST", body: Data("own".utf8))
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            with: request,
            from: UploadSequence(Self.sequence("se", "quence"), length: 8),
            completionHandler: completions.handler
        ).resume()
        #expect(try await completions.only().text == "sequence")
        let (chunks, _) = try await manager.upload(for: request, from: Self.sequence("chunks"))
        #expect(chunks as? Data == Data("chunks".utf8))
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in Array("bytes".utf8) { continuation.yield(byte) }
            continuation.finish()
        }
        let (collected, _) = try await manager.upload(for: request, from: bytes, length: 5)
        #expect(collected as? Data == Data("bytes".utf8))
        #expect(server.requests.map { $0.header("Content-Length") } == ["8", nil, "5"])
    }

    @Test(
        "A-43: Progress counts the bytes of a sequence; without a length its total is unknown",
        arguments: [nil, 8] as [Int64?]
    )
    func progressCountsTheBytes(_ length: Int64?) async throws {
        let (server, manager) = (try echo(), URLSessionManager.test())
        let amounts = EventRecorder<[Int64]>()
        _ = try await manager.upload(
            for: server.request(method: "POST"),
            from: Self.sequence("se", "quence"),
            length: length,
            progress: { amounts.record([$0.completedUnitCount, $0.totalUnitCount]) }
        )
        await manager.settle()
        #expect(amounts.events.contains([8, length ?? -1]))
    }

    @Test("A-43: A retried task sends a restartable sequence again")
    func restartableSequenceIsRetried() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let manager = URLSessionManager.strict(Retrier.times(1))
        let request = try server.request(method: "PUT")
        let body = UploadSequence(restartable: { Self.sequence("bo", "dy") })
        let (object, _) = try await manager.upload(for: request, from: body)
        #expect(object as? Data == Data("hello".utf8))
        #expect(server.requests.map(\.bodyText) == ["body", "body"])
    }

    @Test("A-43: A task whose sequence can't be read again isn't retried, also with a handler")
    func singleSequenceIsNotRetried() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let asked = EventRecorder<Asked>()
        let manager = URLSessionManager.strict(
            ScriptedInterceptor(name: "m", asked: asked, result: .retry)
        )
        let streams = Watched(0)
        manager.setTaskNeedNewBodyStream { _, _ in
            streams.update { $0 += 1 }
            return InputStream(data: Data("other".utf8))
        }
        let request = try server.request(method: "PUT")
        let error = await #expect(throws: Refusal.self) {
            _ = try await manager.upload(for: request, from: Self.sequence("body"))
        }
        #expect(error == Refusal(status: 503))
        #expect(asked.events == [.adapt("m", retryCount: 0)])
        #expect(server.requests.map(\.bodyText) == ["body"])
        #expect(streams.read { $0 } == 0)
    }

    @Test("A-43: A sequence that wasn't begun is sent by a retry")
    func sequenceNotBegunIsRetried() async throws {
        let server = try echo()
        let manager = URLSessionManager.test()
        let port = try LoopbackServer.unusedPort()
        var request = try server.request(method: "PUT")
        let url = request.url
        request.url = URL(string: "http://127.0.0.1:\(port)/")
        let (object, _) = try await manager.upload(
            for: request,
            from: Self.sequence("body"),
            interceptor: Mover(url: url)
        )
        #expect(object as? Data == Data("body".utf8))
    }

    @Test("A-43: An error that a sequence throws is the underlying error of the manager's")
    func thrownErrorIsUnderlying() async throws {
        let (server, manager) = (try echo(), URLSessionManager.test())
        let request = try server.request(method: "POST")
        let failure = SourceFailure()
        let chunks = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: failure) }
        let error = try await urlError {
            _ = try await manager.upload(for: request, from: chunks)
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? SourceFailure === failure)
    }

    @Test("A-43: Cancelling the Swift task cancels the iteration of its sequence")
    func cancellingStopsTheIteration() async throws {
        let begun = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .readBodyBytes(3), .open(begun), .stall,
        ])
        let manager = URLSessionManager.test()
        let request = try server.request(method: "POST")
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let stopped = Gate()
        continuation.onTermination = { reason in
            if case .cancelled = reason { stopped.open() }
        }
        continuation.yield([1, 2, 3])
        let upload = Task { try await manager.upload(for: request, from: chunks).response }
        try await begun.wait()
        upload.cancel()
        let error = try await urlError { _ = try await upload.value }
        #expect(error.code == .cancelled)
        try await stopped.wait()
    }
}
