internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct InvalidationTests {
    @Test func invalidatedSessionReleasesItsDelegate() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        weak var delegate: SessionDelegate?
        let session: URLSession
        do {
            let made = SessionDelegate()
            delegate = made
            session = URLSession.test(delegate: made)
            session.dataTask(with: try server.at("/")).resume()
            try await made.completion()
            #expect(session.delegate === made)
            session.finishTasksAndInvalidate()
            try await made.event(.invalid)
        }
        // The last delegate call may not have returned, or its thread may still hold the delegate.
        try await Inspection.wait { session.delegate == nil }
        try await Inspection.wait { [weak delegate] in delegate == nil }
    }

    @Test func completionHandlerDoesNotRetainTheDelegate() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        weak var delegate: SessionDelegate?
        do {
            let kept = Watched<(@Sendable (URLSession.ResponseDisposition) -> Void)?>(nil)
            // The delegate owns the closure that keeps the completion handler.
            let made = SessionDelegate { answers in
                answers.response = { _, answered in
                    kept.update { $0 = answered }
                    answered(.allow)
                }
            }
            delegate = made
            let session = URLSession.test(delegate: made)
            session.dataTask(with: try server.at("/")).resume()
            try await made.completion()
            session.finishTasksAndInvalidate()
            try await made.event(.invalid)
        }
        // The last delegate call may not have returned.
        try await Inspection.wait { [weak delegate] in delegate == nil }
    }

    @Test func tasksFinishBeforeTheSessionIsInvalid() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        _ = try await server.requestHead(0)
        session.finishTasksAndInvalidate()
        #expect(session.delegate === delegate)
        gate.open()
        try await delegate.event(.invalid)
        #expect(
            delegate.milestones == [
                .response(200), .proposal(bytes: 5), .metrics(transactions: 1), .completed(nil),
                .invalid,
            ]
        )
    }

    @Test func invalidatingCancelsAllTasks() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        for _ in 0..<5 { session.dataTask(with: try server.at("/")).resume() }
        // A task that was never resumed is among them.
        _ = session.dataTask(with: try server.at("/"))
        try await server.requests(count: 5)
        session.invalidateAndCancel()
        try await delegate.event(.invalid)
        #expect(delegate.errors.count == 6)
        #expect(delegate.errors.allSatisfy { ($0 as? URLError)?.code == .cancelled })
    }

    @Test("A10: A task of an invalidated session fails with an error")
    func taskOfInvalidatedSessionFails() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        session.invalidateAndCancel()
        let url = try server.at("/")
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .cancelled)
        #expect(error.reason.contains("invalidated"))
        let handlerError: (any Error)? = await awaitHandler { done in
            session.dataTask(with: url) { _, _, error in done(error) }.resume()
        }
        #expect((handlerError as? URLError)?.code == .cancelled)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func sharedSessionCannotBeInvalidated() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        URLSession.shared.invalidateAndCancel()
        URLSession.shared.finishTasksAndInvalidate()
        let (data, _) = try await URLSession.shared.data(from: server.at("/"))
        #expect(data.count == 5)
    }

    @Test func releasedSessionFinishesItsTasks() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let url = try server.at("/")
        let data: Data? = await awaitHandler { done in
            URLSession.test().dataTask(with: url) { data, _, _ in done(data) }.resume()
        }
        #expect(data?.count == 5)
        // The session's connections are closed with it.
        try await server.openConnections(0)
    }

    @Test("A session lists its tasks from their start, also while they are suspended")
    func tasksAreListedFromTheirStart() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let session = URLSession.test()
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        let data = session.dataTask(with: try server.at("/"))
        let upload = session.uploadTask(with: request, from: Data("x".utf8))
        let download = session.downloadTask(with: try server.at("/"))
        let tasks: [URLSessionTask] = [data, upload, download]
        let unstarted = await session.allTasks
        #expect(unstarted.isEmpty)
        let unlisted: [URLSessionTask] = await awaitHandler {
            session.getAllTasks(completionHandler: $0)
        }
        #expect(unlisted.isEmpty)
        for task in tasks { task.resume() }
        upload.suspend()
        let started = await session.allTasks
        #expect(started == tasks)
        let sorted = await session.tasks
        #expect(sorted.0 == [data])
        #expect(sorted.1 == [upload])
        #expect(sorted.2 == [download])
        let listed: [URLSessionTask] = await awaitHandler {
            session.getAllTasks(completionHandler: $0)
        }
        #expect(listed == tasks)
        #expect(Set(listed.map(\.taskIdentifier)).count == 3)
        session.invalidateAndCancel()
    }

    @Test("A session doesn't list tasks that are being cancelled")
    func cancelledTasksAreNotListed() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let (delegate, queue) = (SessionDelegate(), OperationQueue())
        let session = URLSession.test(delegate: delegate, queue: queue)
        let tasks: [URLSessionTask] = try (0..<3).map { _ in
            try session.dataTask(with: server.at("/"))
        }
        for task in tasks { task.resume() }
        let started = await session.allTasks
        #expect(started == tasks)
        // The completions wait for the queue.
        queue.isSuspended = true
        tasks[0].cancel()
        #expect(tasks[0].state == .canceling)
        let others = await session.allTasks
        #expect(others == [tasks[1], tasks[2]])
        session.invalidateAndCancel()
        let none = await session.allTasks
        #expect(none.isEmpty)
        queue.isSuspended = false
        try await delegate.event(.invalid)
        #expect(delegate.errors.count == 3)
    }

    @Test func resetRemovesCookiesAndCredentials() async throws {
        let server = try LoopbackServer { _ in .text("x").header("Set-Cookie", "a=b") }
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/"))
        _ = try await session.data(from: server.at("/"))
        #expect(server.requests[1].header("Cookie") == "a=b")
        let done = Gate()
        session.reset { done.open() }
        try await done.wait()
        _ = try await session.data(from: server.at("/"))
        #expect(server.requests[2].header("Cookie") == nil)
        #expect(server.requests[2].connection != server.requests[1].connection)
    }

    @Test func taskWithoutASessionFails() {
        let task = URLSessionDataTask()
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .completed)
        #expect(task.error is URLError)
    }
}
