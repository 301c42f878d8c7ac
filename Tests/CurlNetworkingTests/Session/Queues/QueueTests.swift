internal import Dispatch
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The queues of handlers, and their order.
@Suite(.timeLimit(.minutes(10))) struct QueueTests {
    private static let key = DispatchSpecificKey<String>()

    private func labelled(_ label: String) -> DispatchQueue {
        let queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.key, value: label)
        return queue
    }

    @Test("S-09, Q-06: A completion is called on the completion queue at that moment")
    func completionsAreCalledOnTheirQueue() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let labels = EventRecorder<String?>()
        manager.dataTask(with: try server.request()) { _, _, _ in
            labels.record(DispatchQueue.getSpecific(key: Self.key))
        }.resume()
        try await server.requests(count: 1)
        manager.completionQueue = labelled("mine")
        gate.open()
        #expect(try await labels.wait(count: 1) == ["mine"])
    }

    @Test("S-09, Q-06: Without a queue, completions are called on the main queue")
    func completionsAreCalledOnTheMainQueue() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.completionQueue = nil
        let isOnMain = EventRecorder<Bool>()
        manager.dataTask(with: try server.request()) { _, _, _ in
            isOnMain.record(MainQueueMark.isOnMainQueue)
        }.resume()
        #expect(try await isOnMain.wait(count: 1) == [true])
        let port = try LoopbackServer.unusedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        manager.dataTask(with: URLRequest(url: url)) { _, _, _ in
            isOnMain.record(MainQueueMark.isOnMainQueue)
        }.resume()
        #expect(try await isOnMain.wait(count: 2) == [true, true])
    }

    @Test("S-10: A completion is in the group until its handler has returned")
    func aCompletionIsAMemberOfTheGroup() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let group = DispatchGroup()
        manager.completionGroup = group
        let order = EventRecorder<String>()
        let (entered, leaves) = (Gate(), Gate())
        manager.dataTask(with: try server.request()) { _, _, _ in
            entered.open()
            leaves.waitBlocking()
            order.record("handler")
        }.resume()
        try await entered.wait()
        group.notify(queue: .global()) { order.record("group") }
        leaves.open()
        #expect(try await order.wait(count: 2) == ["handler", "group"])
    }

    @Test("S-10: A running task isn't in the group")
    func runningTaskIsNotInTheGroup() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let group = DispatchGroup()
        manager.completionGroup = group
        let completions = EventRecorder<Completion>()
        let request = try server.request()
        manager.dataTask(with: request, completionHandler: completions.handler).resume()
        try await server.requests(count: 1)
        // The group is empty at once, before the response arrives.
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(completions.events.isEmpty)
        gate.open()
        _ = try await completions.only()
    }

    @Test("S-04, Q-01: Handlers of all tasks are called one at a time, on the operation queue")
    func handlersAreCalledOneAtATime() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let running = Mutex((now: 0, most: 0, elsewhere: 0))
        let enter: @Sendable () -> Void = { [queue = manager.operationQueue] in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
                if OperationQueue.current !== queue { running.elsewhere += 1 }
            }
            running.withLock { $0.now -= 1 }
        }
        manager.setDataTaskDidReceiveResponse { _, _, _ in
            enter()
            return .allow
        }
        manager.setDataTaskDidReceiveData { _, _, _ in enter() }
        manager.setTaskDidComplete { _, _, _ in enter() }
        manager.setTaskDidFinishCollectingMetrics { _, _, _ in enter() }
        let completions = EventRecorder<Completion>()
        for _ in 0..<100 {
            let task = manager.dataTask(
                with: try server.request(),
                downloadProgress: { _ in enter() },
                completionHandler: completions.handler
            )
            task.resume()
        }
        _ = try await completions.wait(count: 100)
        #expect(running.withLock { $0.most } == 1)
        #expect(running.withLock { $0.elsewhere } == 0)
    }

    @Test("Q-06: A failure overtakes a success that is still being serialized")
    func aFailureOvertakesASuccess() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let serializing = Gate()
        manager.responseSerializer = ScriptedSerializer { _, data in
            serializing.open()
            gate.waitBlocking()
            return (data, nil)
        }
        let order = EventRecorder<String>()
        manager.dataTask(with: try server.request()) { _, _, _ in order.record("success") }.resume()
        try await serializing.wait()
        let failing = manager.dataTask(with: try server.request()) { _, _, _ in
            order.record("failure")
        }
        failing.cancel()
        _ = try await order.wait(count: 1)
        gate.open()
        #expect(try await order.wait(count: 2) == ["failure", "success"])
    }

    @Test("Q-08, S-45: The handler for completed tasks is called before the completion handler")
    func theHandlerForTasksComesBefore() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let order = EventRecorder<String>()
        manager.setTaskDidComplete { [weak manager] _, task, error in
            order.record("over \(error == nil)")
            // The task no longer has its delegate.
            order.record("progress \(manager?.downloadProgress(for: task) != nil)")
        }
        let failure = URLError(.cannotParseResponse)
        manager.responseSerializer = ScriptedSerializer { _, _ in
            order.record("serializer")
            return (nil, failure)
        }
        manager.dataTask(with: try server.request()) { _, _, error in
            order.record("completion \((error as? URLError)?.code == failure.code)")
        }.resume()
        let events = try await order.wait(count: 4)
        // The handler doesn't get the serializer's error.
        #expect(events == ["over true", "progress false", "serializer", "completion true"])
    }

    @Test("Q-09, S-46: The metrics handler is called before the task's end")
    func metricsHandlerIsCalledBeforeTheEnd() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let order = EventRecorder<String>()
        manager.setTaskDidFinishCollectingMetrics { _, _, metrics in
            order.record("metrics \(metrics.transactionMetrics.count)")
        }
        manager.setTaskDidComplete { _, _, _ in order.record("over") }
        _ = try await manager.load(server.request())
        #expect(order.events == ["metrics 1", "over"])
    }
}
