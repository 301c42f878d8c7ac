internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Attempts of tasks with an `earliestBeginDate`.
@Suite(.timeLimit(.minutes(10))) struct DelayedTaskTests {
    @Test("A-11: a download that goes on with another one, later, goes on with it in each attempt")
    func resumedDownloadsThatBeginLater() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path + "/file")
        let partial = Reply.steps([
            .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello"), .reset,
        ])
        let rest = Reply(
            206,
            headers: [("ETag", "\"1\""), ("Content-Range", "bytes 5-9/10")],
            body: .bytes(Array("world".utf8))
        )
        let server = try LoopbackServer.replying(partial, .status(503), rest)
        let manager = URLSessionManager.strict()
        let first = EventRecorder<Completion>()
        try manager.downloadTask(
            with: server.request(),
            destination: { _, _ in file },
            completionHandler: first.downloadHandler
        ).resume()
        let error = try await first.only().error as? URLError
        let data = try #require(error?.downloadTaskResumeData)
        manager.interceptor = Retrier.times(1)
        let second = EventRecorder<Completion>()
        let task = manager.downloadTask(
            withResumeData: data,
            destination: { _, _ in file },
            completionHandler: second.downloadHandler
        )
        task.earliestBeginDate = Date()
        task.resume()
        #expect(try await second.only().error == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "helloworld")
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5-", "bytes=5-"])
    }

    /// Has another request loaded when the time has come, and everything tried again once.
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
            completionHandler: @escaping @Sendable (TaskVerdict) -> Void
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

    @Test("A-11: the request that takes another one's place at the begin date is tried again")
    func otherRequestsAreTriedAgain() async throws {
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
