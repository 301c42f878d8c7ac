internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Data handlers of tasks.
@Suite(.timeLimit(.minutes(10))) struct DataHandlerTests {
    @Test("T-02, A-24, A-25: A body passed to a data handler isn't collected")
    func bodyPassedToAHandlerIsNotCollected() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let queue = manager.operationQueue
        let events = EventRecorder<String>()
        let completions = EventRecorder<Completion>()
        manager.setDataTaskDidReceiveResponse { _, _, _ in
            events.record("session handler")
            return .cancel
        }
        manager.dataTask(
            with: try server.request(),
            downloadProgress: { events.record("progress \($0.completedUnitCount)") },
            onResponse: { response in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                events.record("\(status) \(OperationQueue.current === queue)")
                return .allow
            },
            onData: { data in
                events.record(
                    String(decoding: data, as: UTF8.self) + " \(OperationQueue.current === queue)"
                )
            },
            completionHandler: completions.handler
        ).resume()
        let completion = try await completions.only()
        #expect(completion.error == nil)
        #expect(completion.object as? Data == Data())
        #expect(events.events == ["200 true", "hello true", "progress 5"])
    }

    @Test("A-24, A-25: An error that a handler throws ends the task and is reported")
    func whatAHandlerThrowsEndsTheTask() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\n\r\nhello"), .stall])
        }
        let manager = URLSessionManager.test()
        let request = try server.request()
        for isEarly in [true, false] {
            let completions = EventRecorder<Completion>()
            manager.dataTask(
                with: request,
                onResponse: { _ in
                    if isEarly { throw Refusal(status: 1) }
                    return .allow
                },
                onData: { _ in throw Refusal(status: 2) },
                completionHandler: completions.handler
            ).resume()
            let completion = try await completions.only()
            #expect(completion.error as? Refusal == Refusal(status: isEarly ? 1 : 2))
        }
        try await server.openConnections(0)
    }

    @Test("A-25: A response handler may cancel a task early")
    func aHandlerMayEndATaskEarly() async throws {
        let server = try LoopbackServer { _ in .steps([.send("HTTP/1.1 200 OK\r\n\r\n"), .stall]) }
        let completions = EventRecorder<Completion>()
        let manager = URLSessionManager.test()
        manager.dataTask(
            with: try server.request(),
            onResponse: { _ in .cancel },
            onData: { _ in },
            completionHandler: completions.handler
        ).resume()
        #expect(try await completions.only().code == URLError.Code.cancelled.rawValue)
        _ = try await server.connectionClosed(0)
    }

    @Test("A-25: The serializer validates the response of a task with a data handler")
    func serializerValidatesDataHandlerTasks() async throws {
        let server = try LoopbackServer { _ in .text("no", status: 500) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = HTTPResponseSerializer()
        let completions = EventRecorder<Completion>()
        manager.dataTask(
            with: try server.request(),
            onData: { _ in },
            completionHandler: completions.handler
        ).resume()
        #expect(try await completions.only().code == URLError.Code.badServerResponse.rawValue)
    }
}
