internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Managers go with their last user and their last task.
@Suite(.timeLimit(.minutes(10))) struct ManagerLifetimeTests {
    @Test("S-20: a manager goes with the last reference to it, and its session with it")
    func aManagerGoes() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let invalid = Gate()
        weak var gone: URLSessionManager?
        do {
            let manager = URLSessionManager.test()
            gone = manager
            manager.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            #expect(try await manager.load(server.request()).text == "hello")
            await manager.settle()
        }
        try await invalid.wait()
        #expect(gone == nil)
        try await server.openConnections(0)
    }

    @Test("S-20: a task that is under way keeps its manager, and completes")
    func aTaskKeepsItsManager() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let completions = EventRecorder<Completion>()
        let (invalid, didComplete) = (Gate(), Gate())
        weak var manager: URLSessionManager?
        do {
            let made = URLSessionManager.test()
            manager = made
            made.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            made.setTaskDidComplete { _, _, _ in didComplete.open() }
            made.responseSerializer = ScriptedSerializer { _, _ in ("serialized", nil) }
            let request = try server.request()
            made.dataTask(with: request, completionHandler: completions.handler).resume()
        }
        try await server.requests(count: 1)
        #expect(manager != nil)
        gate.open()
        #expect(try await completions.only().object as? String == "serialized")
        #expect(didComplete.isOpen)
        try await invalid.wait()
        #expect(manager == nil)
    }

    @Test("S-20: a task that its manager has left behind can still be resumed")
    func aTaskThatWasLeftBehindCanBeResumed() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let completions = EventRecorder<Completion>()
        let task = try URLSessionManager.test().dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        #expect(try await completions.only().text == "hello")
        // Once it is over, nothing of the manager's is left.
        try await server.openConnections(0)
    }

    @Test("S-20: a task whose manager is reset or invalidated lets go of it")
    func anInvalidatedManagerGoes() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let completions = EventRecorder<Completion>()
        weak var manager: URLSessionManager?
        let invalid = Watched(0)
        do {
            let made = URLSessionManager.test()
            manager = made
            made.setSessionDidBecomeInvalid { _, _ in invalid.update { $0 += 1 } }
            for resets in [true, false] {
                let request = try server.request()
                made.dataTask(with: request, completionHandler: completions.handler).resume()
                made.invalidateSessionCancelingTasks(!resets, resetSession: resets)
            }
        }
        gate.open()
        _ = try await completions.wait(count: 2)
        try await invalid.wait { $0 == 2 ? () : nil }
        try await server.openConnections(0)
        #expect(manager == nil)
    }

    @Test("S-20: what a completion handler holds is let go of with the task")
    func aHandlerIsLetGoOf() async throws {
        final class Held: Sendable {}
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        weak var held: Held?
        let called = Gate()
        let task: URLSessionTask
        do {
            let object = Held()
            held = object
            task = manager.dataTask(
                with: try server.request(),
                downloadProgress: { _ in extendLifetime(object) }
            ) { _, _, _ in
                extendLifetime(object)
                called.open()
            }
        }
        #expect(held != nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        try await called.wait()
        _ = try await recorder.first(.networkingTaskDidComplete)
        await manager.settle()
        await withCheckedContinuation { continuation in
            manager.completionQueue?.async { continuation.resume() }
        }
        // The task is still there, and holds nothing.
        #expect(task.state == .completed)
        #expect(held == nil)
    }
}
