internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests suspension, cancellation and backpressure.
@Suite(.timeLimit(.minutes(10))) struct SuspensionTests {
    private static let size = 64 << 20

    private static func bigServer() throws -> LoopbackServer {
        try LoopbackServer { _ in Reply(body: .repeating(Array(0...255), times: size / 256)) }
    }

    @Test("A13: A task that is suspended and resumed receives its content once")
    func suspendedAndResumedTaskGetsItsContentOnce() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 80\r\n\r\n"),
            .send([UInt8](repeating: 65, count: 40)), .waitFor(gate),
            .send([UInt8](repeating: 66, count: 40)), .stall,
        ])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await delegate.bytes(40)
        task.suspend()
        #expect(task.state == .suspended)
        gate.open()
        task.resume()
        // It may have completed by now.
        #expect(task.state != .suspended)
        try await delegate.completion()
        #expect(
            delegate.text == String(repeating: "A", count: 40) + String(repeating: "B", count: 40)
        )
        #expect(server.requestCount == 1)
        #expect(delegate.responses.count == 1)
        session.invalidateAndCancel()
    }

    @Test("A new task that is suspended and resumed stays suspended until it is resumed again")
    func newTaskIsSuspendedOnce() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.suspend()
        task.resume()
        #expect(task.state == .suspended)
        #expect(server.acceptedConnectionCount == 0)
        task.resume()
        try await delegate.completion()
        #expect(delegate.text == "hello")
        #expect(server.requestCount == 1)
        session.invalidateAndCancel()
    }

    @Test func suspendedTaskReadsNothingFromTheServer() async throws {
        let server = try Self.bigServer()
        let suspended = Gate()
        let delegate = SessionDelegate { answers in
            answers.act = { event, task in
                guard case .data = event, !suspended.isOpen else { return }
                task?.suspend()
                suspended.open()
            }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await suspended.wait()
        try await server.blocked()
        #expect(try #require(server.connection(0)).bytesSent < Self.size)
        #expect(task.countOfBytesReceived < 2 << 20)
        task.resume()
        try await delegate.completion()
        #expect(delegate.data.count == Self.size)
        session.invalidateAndCancel()
    }

    @Test("B2: A task with a busy delegate buffers at most a bounded window")
    func busyDelegateBuffersABoundedWindow() async throws {
        let server = try Self.bigServer()
        let gate = Gate()
        let delegate = SessionDelegate { answers in
            answers.act = { event, _ in
                if case .data = event { gate.waitBlocking() }
            }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await server.blocked()
        // The window, the piece that the delegate handles, and the piece that closes the window.
        #expect(task.countOfBytesReceived < 2 << 20)
        gate.open()
        try await delegate.completion()
        #expect(delegate.data.count == Self.size)
        session.invalidateAndCancel()
    }

    @Test func cancelledTaskFailsOnce() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        _ = try await server.requestHead(0)
        task.cancel()
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(task.state == .completed)
        #expect((task.error as? URLError)?.code == .cancelled)
        session.finishTasksAndInvalidate()
        try await delegate.event(.invalid)
        #expect(
            delegate.events == [
                .metrics(transactions: 1), .completed(URLError.Code.cancelled.rawValue), .invalid,
            ]
        )
    }

    @Test func taskNeverStartedCanBeCancelled() async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let task = session.dataTask(with: url)
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        task.resume()
        #expect(task.state == .completed)
        session.invalidateAndCancel()
    }

    @Test func cancelledTaskReportsOnlyItsEnd() async throws {
        let server = try Self.bigServer()
        let delegate = SessionDelegate { answers in
            answers.act = { event, task in
                if case .data = event { task?.cancel() }
            }
        }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(delegate.events.filter { if case .data = $0 { true } else { false } }.count == 1)
        session.invalidateAndCancel()
    }

    @Test("A9: Cancelling a Swift task cancels its request", arguments: 0..<20)
    func cancellingASwiftTaskCancelsItsRequest(_ round: Int) async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let session = URLSession.test()
        let url = try server.at("/")
        let task = Task { try await session.data(from: url) }
        if round % 2 == 0 { _ = try await server.requestHead(0) }
        task.cancel()
        let error = try await urlError { _ = try await task.value }
        #expect(error.code == .cancelled)
    }

    @Test func delayedTaskStartsAtItsDate() async throws {
        let server = try LoopbackServer { .text($0.path) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        let date = Date(timeIntervalSinceNow: 0.3)
        task.earliestBeginDate = date
        task.resume()
        try await delegate.event(.delayed)
        #expect(Date() >= date)
        try await delegate.completion()
        #expect(
            delegate.milestones == [
                .delayed, .response(200), .proposal(bytes: 1), .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        session.invalidateAndCancel()
    }

    @Test func suspendedTaskStartsNoLoad() async throws {
        let server = try LoopbackServer { request in
            request.path == "/start" ? .redirect(to: "/end") : .text("end")
        }
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, follow in follow(request) }
            answers.act = { event, task in
                if event == .delayed || event == .redirect(302, to: "/end") { task?.suspend() }
            }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/start"))
        task.earliestBeginDate = .distantPast
        task.resume()
        try await delegate.event(.delayed)
        for _ in 0..<10 { _ = try await URLSession.shared.data(from: server.at("/other")) }
        #expect(server.requests.allSatisfy { $0.path == "/other" })
        task.resume()
        try await delegate.event(.redirect(302, to: "/end"))
        for _ in 0..<10 { _ = try await URLSession.shared.data(from: server.at("/other")) }
        #expect(!server.requests.contains { $0.path == "/end" })
        task.resume()
        try await delegate.completion()
        #expect(delegate.text == "end")
        session.invalidateAndCancel()
    }

    @Test func delayedTaskCanSendAnotherRequest() async throws {
        let server = try LoopbackServer { .text($0.path) }
        let other = URLRequest(url: try server.at("/other"))
        let delegate = SessionDelegate { $0.delayed = { _ in (.useNewRequest, other) } }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/first"))
        task.earliestBeginDate = .distantPast
        task.resume()
        try await delegate.completion()
        #expect(delegate.text == "/other")
        #expect(task.currentRequest == other)
        #expect(task.originalRequest?.url?.path == "/first")
        session.invalidateAndCancel()
    }

    @Test func delayedTaskCanBeCancelledBeforeItsDate() async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        task.earliestBeginDate = .distantFuture
        task.resume()
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        session.invalidateAndCancel()
    }

    @Test func progressFollowsTheBytes() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        let progress = task.progress
        #expect(progress === task.progress)
        #expect(progress.completedUnitCount == 0)
        task.resume()
        try await delegate.completion()
        #expect(progress.completedUnitCount == 5)
        #expect(progress.isFinished)
        session.invalidateAndCancel()
    }

    @Test func cancellingTheProgressCancelsTheTask() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        _ = try await server.requestHead(0)
        task.progress.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        session.invalidateAndCancel()
    }
}
