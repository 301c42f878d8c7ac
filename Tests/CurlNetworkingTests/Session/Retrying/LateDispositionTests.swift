internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// A retry decision that arrives after the task has completed.
@Suite(.timeLimit(.minutes(10))) struct LateDispositionTests {
    /// Asks a task's own interceptor, and completes the task before it passes on the decision, as
    /// the timeout for the whole task does.
    private final class Overtaking: URLSessionTaskInterceptor {
        private let own: any URLSessionTaskInterceptor
        let answered = Gate()

        init(_ own: any URLSessionTaskInterceptor) {
            self.own = own
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willAttempt request: URLRequest,
            completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            own.urlSession(
                session,
                task: task,
                willAttempt: request,
                completionHandler: completionHandler
            )
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didEndAttemptWithError error: (any Error)?,
            completionHandler: @escaping @Sendable (AttemptDisposition) -> Void
        ) {
            own.urlSession(session, task: task, didEndAttemptWithError: error) { disposition in
                completionHandler(.complete)
                completionHandler(disposition)
                self.answered.open()
            }
        }
    }

    @Test("A-11: A retry decision that comes too late doesn't change the task's outcome")
    func lateRetryDecisionChangesNothing() async throws {
        let server = try LoopbackServer.replying(.text("a refusal", status: 503), .text("hello"))
        let manager = URLSessionManager.strict(Retrier { _, _ in .retry })
        let monitor = JournalMonitor()
        manager.eventMonitors = [monitor]
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        let delegate = try #require(URLSessionManagerTaskDelegate.of(task, manager.core))
        let overtaking = Overtaking(delegate)
        task.setInterceptor(overtaking)
        task.resume()
        let completion = try await completions.only()
        #expect(completion.text == "a refusal")
        #expect(completion.error as? Refusal == Refusal(status: 503))
        #expect(completion.status == 503)
        try await overtaking.answered.wait()
        try await monitor.ended()
        #expect(!monitor.events.contains { $0.hasPrefix("retry") })
        #expect(monitor.events.filter { $0.hasPrefix("serialized") } == ["serialized error"])
        #expect(server.requestCount == 1)
    }
}
