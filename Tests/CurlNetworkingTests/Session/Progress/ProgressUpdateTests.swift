internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct ProgressUpdateTests {
    @Test("T-10: Progress is available as a sequence, which ends with the task")
    func progressIsASequence() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"
        let server = try LoopbackServer.scripted([
            .readHead, .readBody, .send(head), .waitFor(gate), .send("two"), .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        let task = manager.uploadTask(
            with: try server.request(method: "POST"),
            from: Data("hi".utf8),
            completionHandler: nil
        )
        let sent = manager.uploadProgressUpdates(for: task)
        let received = manager.downloadProgressUpdates(for: task)
        task.resume()
        var amounts: [ByteProgress] = []
        for await amount in received {
            amounts.append(amount)
            gate.open()
        }
        #expect(
            amounts == [
                ByteProgress(completed: 3, total: 6), ByteProgress(completed: 6, total: 6),
            ]
        )
        #expect(amounts.map(\.fractionCompleted) == [0.5, 1])
        // The sequence buffers only the latest update.
        var latest: [ByteProgress] = []
        for await amount in sent { latest.append(amount) }
        #expect(latest == [ByteProgress(completed: 2, total: 2)])
    }

    @Test("T-10, T-08: The progress sequence of a completed or foreign task is empty")
    func progressSequenceOfCompletedTaskIsEmpty() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        _ = try await completions.only()
        for await amount in manager.downloadProgressUpdates(for: task) {
            Issue.record("\(amount)")
        }
        let foreign = URLSessionManager.test()
            .dataTask(with: try server.request(), completionHandler: nil)
        for await amount in manager.uploadProgressUpdates(for: foreign) {
            Issue.record("\(amount)")
        }
        foreign.cancel()
    }

    @Test("P-06: The fraction of an unknown or zero total is 0")
    func theFractionIsZero() {
        #expect(ByteProgress(completed: 5, total: -1).fractionCompleted == 0)
        #expect(ByteProgress(completed: 0, total: 0).fractionCompleted == 0)
        #expect(ByteProgress(completed: 1, total: 4).fractionCompleted == 0.25)
    }
}
