internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the delegate calls for data tasks, and their order.
@Suite(.timeLimit(.minutes(10))) struct DelegateOrderTests {
    @Test func dataTaskEventsHaveTheirOrder() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        try await delegate.completion()
        #expect(
            delegate.events == [
                .response(200), .data(5), .proposal(bytes: 5), .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        session.finishTasksAndInvalidate()
        try await delegate.event(.invalid)
        #expect(delegate.events.last == .invalid)
    }

    @Test func redirectedUploadEventsHaveTheirOrder() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(307, to: "/end")
        }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        var request = URLRequest(url: try server.at("/start"))
        request.httpMethod = "POST"
        session.uploadTask(with: request, from: Data("content".utf8)).resume()
        try await delegate.completion()
        #expect(
            delegate.milestones == [
                .redirect(307, to: "/end"), .response(200), .metrics(transactions: 2),
                .completed(nil),
            ]
        )
        // Progress of each of the two requests, reported before its response.
        let sent = delegate.events.filter { $0 == .sent(7, of: 7) }
        #expect(sent.count == 2)
        #expect(delegate.events.first == .sent(7, of: 7))
        session.invalidateAndCancel()
    }

    @Test("C18: A failed task's delegate receives metrics too")
    func failedTaskReportsMetrics() async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        session.dataTask(with: url).resume()
        #expect(try await delegate.failure().code == .cannotConnectToHost)
        #expect(
            delegate.events == [
                .metrics(transactions: 1),
                .completed(URLError.Code.cannotConnectToHost.rawValue),
            ]
        )
        session.invalidateAndCancel()
    }

    @Test("C18: Metrics describe each transaction of a redirected task")
    func metricsDescribeEachTransaction() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(to: "/end")
        }
        let delegate = SessionDelegate()
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/start"), delegate: delegate)
        // The delegate gets the metrics before the method returns.
        let metrics = try #require(delegate.metrics.first)
        #expect(metrics.redirectCount == 1)
        let transactions = metrics.transactionMetrics
        #expect(transactions.count == 2)
        #expect(transactions.map { $0.request.url?.path } == ["/start", "/end"])
        #expect(
            transactions.map { ($0.response as? HTTPURLResponse)?.statusCode } == [302, 200]
        )
        #expect(transactions.map(\.isReusedConnection) == [false, true])
        #expect(transactions.allSatisfy { $0.networkProtocolName == "http/1.1" })
        #expect(transactions.allSatisfy { $0.remotePort == "\(server.port)" })
        #expect(metrics.taskInterval.duration > 0)
    }

    @Test("C16: A response that the delegate cancels ends the task")
    func refusedResponseEndsTheTask() async throws {
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 1, count: 1024), times: 100_000))
        }
        let delegate = SessionDelegate { $0.response = { $1(.cancel) } }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(
            delegate.events == [
                .response(200), .metrics(transactions: 1),
                .completed(URLError.Code.cancelled.rawValue),
            ]
        )
        let connection = try await server.connectionClosed(0)
        #expect(connection.bytesSent < 100_000 * 1024)
        session.invalidateAndCancel()
    }

    @Test("C16: The delegate gets no content before it allows the response")
    func contentWaitsUntilTheResponseIsAllowed() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let answer = Watched<(@Sendable (URLSession.ResponseDisposition) -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.response = { _, answered in answer.update { $0 = answered } }
        }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        let answered = try await answer.wait { $0 }
        // Meanwhile the same session serves other tasks.
        for _ in 0..<5 { _ = try await session.data(from: server.at("/other")) }
        #expect(delegate.events.first == .response(200))
        #expect(!delegate.events.contains(.data(5)))
        answered(.allow)
        // Only the first answer counts.
        answered(.cancel)
        try await delegate.completion()
        #expect(delegate.text == "hello")
        #expect(delegate.errors.isEmpty)
        session.invalidateAndCancel()
    }

    @Test("C16: A delegate can turn a data task into a download", arguments: [5, 5_000_000])
    func aDataTaskBecomesADownload(_ size: Int) async throws {
        let server = try LoopbackServer { _ in .bytes([UInt8](repeating: 7, count: size)) }
        let content = Watched<Data?>(nil)
        let delegate = SessionDelegate { answers in
            answers.response = { $1(.becomeDownload) }
            answers.file = { url in content.update { $0 = try? Data(contentsOf: url) } }
        }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        try await delegate.completion()
        #expect(
            delegate.milestones == [
                .response(200), .becameDownload, .file, .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        #expect(content.read { $0?.count } == size)
        #expect(delegate.data.isEmpty)
        session.invalidateAndCancel()
    }

    /// A complete response, and one that never ends.
    @Test(arguments: [false, true])
    func dataTaskThatBecomesAStreamFailsWithAReason(_ isEndless: Bool) async throws {
        let piece = [UInt8](repeating: 7, count: 1024)
        let other = try LoopbackServer { _ in .text("x") }
        let server = try LoopbackServer { _ in
            isEndless
                ? .steps([.send("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeating(piece, times: nil)])
                : .text("all of it")
        }
        let answer = Watched<(@Sendable (URLSession.ResponseDisposition) -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.response = { _, answered in answer.update { $0 = answered } }
        }
        let session = URLSession.test()
        let task = session.dataTask(with: try server.at("/"))
        task.delegate = delegate
        task.resume()
        let answered = try await answer.wait { $0 }
        // By then the short response has arrived completely.
        for _ in 0..<3 { _ = try await session.data(from: other.at("/")) }
        answered(.becomeStream)
        let error = try await delegate.failure()
        #expect(error.code == .unknown)
        #expect(error.reason.contains("use a stream task"))
        #expect(
            delegate.events == [
                .response(200), .metrics(transactions: 1), .completed(error.code.rawValue),
            ]
        )
        #expect((task.error as? URLError)?.code == .unknown)
        session.invalidateAndCancel()
    }

    @Test("C17: A task's own delegate takes precedence over the session's")
    func tasksOwnDelegateTakesPrecedence() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let (own, sessions) = (SessionDelegate(), SessionDelegate())
        let session = URLSession.test(delegate: sessions)
        let task = session.dataTask(with: try server.at("/"))
        task.delegate = own
        task.resume()
        try await own.completion()
        #expect(
            own.milestones == [
                .response(200), .proposal(bytes: 5), .metrics(transactions: 1), .completed(nil),
            ]
        )
        #expect(own.text == "hello")
        #expect(sessions.events.isEmpty)
        session.invalidateAndCancel()
    }

    /// Implements one method, and leaves the others to the session's delegate.
    private final class RedirectsOnly: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }

    @Test("C17: The session's delegate is called for methods that the task's delegate lacks")
    func sessionDelegateGetsMethodsTheTasksLacks() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/end") }
        let sessions = SessionDelegate()
        let session = URLSession.test(delegate: sessions)
        let task = session.dataTask(with: try server.at("/"))
        task.delegate = RedirectsOnly()
        task.resume()
        try await sessions.completion()
        #expect(
            sessions.milestones == [.response(302), .metrics(transactions: 1), .completed(nil)]
        )
        session.invalidateAndCancel()
    }

    @Test func taskWithHandlerSkipsDelegateResponseMethods() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(to: "/end")
        }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let url = try server.at("/start")
        let data: Data? = await awaitHandler { done in
            session.dataTask(with: url) { data, _, _ in done(data) }.resume()
        }
        #expect(data == Data("end".utf8))
        #expect(delegate.events == [.redirect(302, to: "/end"), .metrics(transactions: 2)])
        session.invalidateAndCancel()
    }

    @Test func delegateCallsNeverOverlap() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let running = Watched((now: 0, most: 0))
        let delegate = SessionDelegate { answers in
            answers.act = { _, _ in
                running.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                running.update { $0.now -= 1 }
            }
        }
        let session = URLSession.test(delegate: delegate, queue: queue)
        for _ in 0..<50 { session.dataTask(with: try server.at("/")).resume() }
        try await delegate.completion(50)
        #expect(running.read { $0.most } == 1)
        session.invalidateAndCancel()
    }
}
