internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The lifetime of managers.
@Suite(.timeLimit(.minutes(10))) struct ManagerLifetimeTests {
    @Test("S-20: A manager and its session end with the last reference")
    func managerEndsWithItsLastReference() async throws {
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

    @Test("S-20: A running task retains its manager, and completes")
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

    @Test("S-20: A task can be resumed after the last reference to its manager is gone")
    func taskCanBeResumedAfterItsManagerIsReleased() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let completions = EventRecorder<Completion>()
        let task = try URLSessionManager.test().dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        #expect(try await completions.only().text == "hello")
        // After the task has completed, nothing of the manager remains.
        try await server.openConnections(0)
    }

    @Test("S-20: A task releases its manager after a reset or an invalidation")
    func invalidatedManagerIsReleasedByItsTasks() async throws {
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
        // The caller of the completion handlers may not have returned yet.
        try await Inspection.wait { [weak manager] in manager == nil }
    }

    @Test("S-20: Completion and progress handlers are released with the task's end")
    func handlersAreReleasedWithTheTask() async throws {
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
        // The caller of the completion handler may not have returned yet.
        try await Inspection.wait { [weak held] in held == nil }
        // The task still exists, but doesn't retain the object.
        #expect(task.state == .completed)
    }
}
