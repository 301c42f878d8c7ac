internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Interceptors of streamed bodies.
@Suite(.timeLimit(.minutes(10))) struct StreamInterceptorTests {
    /// A connection that is reset before the response.
    private static let reset = Reply.steps([.reset])
    /// A response that ends too early.
    private static let half = Reply.steps([
        .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabandoned")
    ])

    @Test("A-11, A-24: Cancelling a stream cancels its adapter and releases the manager")
    func cancellingCancelsTheAdapter() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let (thinking, never, cancelled, invalid) = (Gate(), Gate(), Gate(), Gate())
        weak var manager: URLSessionManager?
        let stream: Task<Void, any Error>
        do {
            let made = URLSessionManager.test()
            manager = made
            made.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            made.interceptor = Adapter { request, _ in
                thinking.open()
                do {
                    try await never.wait()
                } catch {
                    cancelled.open()
                    throw error
                }
                return request
            }
            let request = try server.request()
            stream = Task { [made] in _ = try await made.stream(for: request) }
        }
        try await thinking.wait()
        stream.cancel()
        #expect(try await urlError { try await stream.value }.code == .cancelled)
        try await cancelled.wait()
        try await invalid.wait()
        #expect(manager == nil)
        #expect(server.requestCount == 0)
    }

    @Test("A-11, A-24: A retrier's replacement error is thrown and posted")
    func aReplacementIsThrown() async throws {
        let server = try LoopbackServer.replying(Self.reset)
        let manager = URLSessionManager.test()
        let refusal = Refusal(status: 9)
        manager.interceptor = Retrier { _, _ in .doNotRetryWithError(refusal) }
        let recorders = Watched<[NotificationRecorder]>([])
        manager.setTaskDidFinishCollectingMetrics { _, task, _ in
            recorders.update { $0.append(NotificationRecorder(of: task)) }
        }
        let request = try server.request()
        await #expect(throws: refusal) { _ = try await manager.stream(for: request) }
        let recorder = try await recorders.wait { $0.first }
        let posted = try await recorder.first(.networkingTaskDidComplete)
        let cause = (posted.error as? NSError)?.userInfo[NSUnderlyingErrorKey]
        #expect(cause as? Refusal == refusal)
    }

    @Test("A-11, A-24: A stream is retried before the response, but not after it")
    func streamIsRetriedOnlyBeforeTheResponse() async throws {
        let server = try LoopbackServer.replying(Self.reset, Self.half)
        let counts = EventRecorder<Int>()
        let manager = URLSessionManager.test()
        manager.interceptor = Retrier { attempt, _ in
            counts.record(attempt.retryCount)
            return .retry
        }
        let stream = try await manager.stream(for: server.request())
        let error = try await urlError { for try await _ in stream {} }
        #expect(error.code == .networkConnectionLost)
        #expect(server.requestCount == 2)
        #expect(counts.events == [0])
    }

    @Test("A-11, A-24: A task with a data handler is retried before the response only")
    func dataHandlerTaskIsRetriedOnlyBeforeTheResponse() async throws {
        let server = try LoopbackServer.replying(Self.reset, Self.half)
        let (counts, pieces) = (EventRecorder<Int>(), EventRecorder<Data>())
        let manager = URLSessionManager.test()
        manager.interceptor = Retrier { attempt, _ in
            counts.record(attempt.retryCount)
            return .retry
        }
        let completions = EventRecorder<Completion>()
        manager.dataTask(
            with: try server.request(),
            onData: { pieces.record($0) },
            completionHandler: completions.handler
        ).resume()
        let completion = try await completions.only()
        #expect(completion.code == URLError.Code.networkConnectionLost.rawValue)
        #expect(pieces.events.reduce(Data(), +) == Data("abandoned".utf8))
        #expect(server.requestCount == 2)
        #expect(counts.events == [0])
    }
}
