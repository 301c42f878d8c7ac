internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct AllTasksTests {
    @Test("A-36: Cancelling all tasks calls its handler after the tasks' completions")
    func allTasksAreCancelled() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = URLSessionManager.test()
        let events = EventRecorder<String>()
        for index in 0..<5 {
            let task = manager.dataTask(with: try server.request()) { _, _, error in
                events.record("\((error as? URLError)?.code == .cancelled)")
            }
            // The last task is never resumed.
            if index < 4 { task.resume() }
        }
        try await server.requests(count: 4)
        #expect(manager.withAllTasks { $0.count } == 5)
        manager.cancelAllRequests { events.record("done") }
        #expect(
            try await events.wait(count: 6) == ["true", "true", "true", "true", "true", "done"]
        )
        #expect(manager.tasks.isEmpty)
        try await server.openConnections(0)
    }

    @Test("A-36: Without tasks, the handler is called at once, and later tasks run normally")
    func handlerIsCalledAtOnceWithoutTasks() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let done = Gate()
        manager.cancelAllRequests { done.open() }
        try await done.wait()
        try await manager.cancelAllRequests()
        #expect(try await manager.load(server.request()).text == "hello")
    }

    @Test("A-36: Streams and async requests are cancelled, too")
    func streamsAreCancelled() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\n\r\na"), .stall])
        }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let stream = try await manager.stream(for: request)
        async let object = failure { _ = try await manager.object(for: request) }
        try await server.requests(count: 2)
        try await manager.cancelAllRequests()
        #expect(await object?.code == URLError.Code.cancelled.rawValue)
        let error = await failure { for try await _ in stream {} }
        #expect(error?.code == URLError.Code.cancelled.rawValue)
    }

    @Test("S-10: Waiting ends when the completion handlers of all tasks have run")
    func waitingEndsAfterTheCompletions() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        try await manager.waitUntilAllTasksFinished()
        let count = Watched(0)
        let never = manager.dataTask(with: try server.request(), completionHandler: nil)
        for _ in 0..<20 {
            let task = manager.dataTask(with: try server.request()) { _, _, _ in
                count.update { $0 += 1 }
            }
            task.resume()
            // The task still counts once.
            task.suspend()
            task.resume()
        }
        let waiting = Task {
            try await manager.waitUntilAllTasksFinished()
            return count.read { $0 }
        }
        gate.open()
        // Waiting ends after all tasks that were unfinished when it began, so the time of its start
        // doesn't matter.
        #expect(try await waiting.value == 20)
        try await manager.waitUntilAllTasksFinished()
        #expect(count.read { $0 } == 20)
        never.cancel()
    }

    @Test("S-10: Waiting can be cancelled")
    func waitingCanBeCancelled() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = URLSessionManager.test()
        manager.dataTask(with: try server.request(), completionHandler: nil).resume()
        try await server.requests(count: 1)
        let waiting = Task { try await manager.waitUntilAllTasksFinished() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await manager.cancelAllRequests()
    }
}
