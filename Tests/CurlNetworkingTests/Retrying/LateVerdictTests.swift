internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// What a retrier says after somebody else has decided.
@Suite(.timeLimit(.minutes(10))) struct LateVerdictTests {
    /// Asks a task's own interceptor, and has the task end before that has answered, as the time limit of
    /// the whole task does.
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
            completionHandler: @escaping @Sendable (TaskVerdict) -> Void
        ) {
            own.urlSession(session, task: task, didEndAttemptWithError: error) { verdict in
                completionHandler(.complete)
                completionHandler(verdict)
                self.answered.open()
            }
        }
    }

    @Test("A-11: a retry that comes too late leaves the task's outcome as it is")
    func aLateRetryChangesNothing() async throws {
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
