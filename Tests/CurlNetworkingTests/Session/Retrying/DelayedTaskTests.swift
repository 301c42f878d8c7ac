internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Retries of tasks with an `earliestBeginDate`.
@Suite(.timeLimit(.minutes(10))) struct DelayedTaskTests {
    /// Replaces the request at its begin date, and retries it once.
    private final class Delegate: NSObject, URLSessionDataDelegate, URLSessionTaskObserver,
        URLSessionTaskInterceptor
    {
        let request: URLRequest
        let attempts = EventRecorder<String>()
        let over = Gate()

        init(_ request: URLRequest) {
            self.request = request
        }

        var interceptor: (any URLSessionTaskInterceptor)? { self }

        func taskDidResume(_ task: URLSessionTask) {}
        func taskDidSuspend(_ task: URLSessionTask) {}

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willBeginDelayedRequest request: URLRequest,
            completionHandler:
                @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) {
            completionHandler(.useNewRequest, self.request)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willAttempt request: URLRequest,
            completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            attempts.record(request.url?.path ?? "")
            completionHandler(.success(request))
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didEndAttemptWithError error: (any Error)?,
            completionHandler: @escaping @Sendable (AttemptDisposition) -> Void
        ) {
            completionHandler(attempts.events.count < 2 ? .retry(after: 0) : .complete)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            over.open()
        }
    }

    @Test("A-11: If the delegate replaces a delayed request, retries send the replacement")
    func replacementOfDelayedRequestIsRetried() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = Delegate(
            try server.request("/other", method: "PUT", body: Data("body".utf8))
        )
        let session = URLSession.patient()
        let task = session.dataTask(with: try server.request("/first"), delegate: delegate)
        task.earliestBeginDate = Date()
        task.resume()
        try await delegate.over.wait()
        #expect(delegate.attempts.events == ["/other", "/other"])
        #expect(server.requests.map(\.path) == ["/other", "/other"])
        #expect(server.requests.map(\.bodyText) == ["body", "body"])
        session.invalidateAndCancel()
    }
}
