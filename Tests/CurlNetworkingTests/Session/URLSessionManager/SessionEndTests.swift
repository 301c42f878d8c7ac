internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Requests of a manager that is released or invalidated.
@Suite(.timeLimit(.minutes(10))) struct SessionEndTests {
    @Test("A-38, S-20: If a manager is released, its running tasks complete")
    func runningTasksCompleteAfterManagersRelease() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let completions = EventRecorder<Completion>()
        weak var manager: URLSessionManager?
        do {
            let made = URLSessionManager.test()
            manager = made
            for _ in 0..<5 {
                made.dataTask(
                    with: try server.request(),
                    completionHandler: completions.handler
                ).resume()
            }
        }
        try await server.requests(count: 5)
        gate.open()
        #expect(
            try await completions.wait(count: 5).map(\.text) == Array(repeating: "hello", count: 5)
        )
        try await server.openConnections(0)
        // The caller of the completion handlers may not have returned yet.
        try await Inspection.wait { [weak manager] in manager == nil }
    }

    @Test("A-38: Tasks of an invalidated manager fail with an error that says so")
    func anInvalidatedManagersTasksEnd() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let completions = EventRecorder<Completion>()
        weak var manager: URLSessionManager?
        do {
            let made = URLSessionManager.test()
            manager = made
            for index in 0..<3 {
                let task = made.dataTask(
                    with: try server.request(),
                    completionHandler: completions.handler
                )
                if index < 2 { task.resume() }
            }
            try await server.requests(count: 2)
            made.invalidateSessionCancelingTasks(true, resetSession: false)
            #expect(
                try await completions.wait(count: 3).map(\.code)
                    == Array(repeating: URLError.Code.cancelled.rawValue, count: 3)
            )
            let late = await failure { _ = try await made.object(for: server.request()) }
            #expect(late?.code == URLError.Code.cancelled.rawValue)
            #expect(late?.localizedFailureReason?.contains("invalidated") ?? false)
            try await made.waitUntilAllTasksFinished()
        }
        try await server.openConnections(0)
        // The caller of the completion handlers may not have returned yet.
        try await Inspection.wait { [weak manager] in manager == nil }
    }
}
