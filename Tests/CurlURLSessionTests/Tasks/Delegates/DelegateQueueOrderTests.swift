internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the order of a session's calls among other work of its delegate queue.
@Suite(.timeLimit(.minutes(10))) struct DelegateQueueOrderTests {
    /// Where the program adds work of its own.
    enum Place: CaseIterable {
        case underlyingQueue
        case programsQueue
        case sessionsQueue
    }

    /// A delegate queue, and what adds work to it.
    private struct Queue: Sendable {
        let operations: OperationQueue?
        let serial: DispatchQueue?

        init(_ place: Place) {
            let serial = place == .underlyingQueue ? DispatchQueue(label: "delegate") : nil
            let operations = place == .sessionsQueue ? nil : OperationQueue()
            operations?.underlyingQueue = serial
            operations?.maxConcurrentOperationCount = 1
            self.operations = operations
            self.serial = serial
        }

        func add(in session: URLSession, _ work: @escaping @Sendable () -> Void) {
            if let serial {
                serial.async(execute: work)
            } else {
                session.delegateQueue.addOperation(work)
            }
        }
    }

    @Test(
        "Given work that was added before a task is cancelled, then it runs before the completion",
        arguments: Place.allCases
    )
    func workAddedBeforeCancellingComesFirst(_ place: Place) async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let queue = Queue(place)
        let log = EventRecorder<Int>()
        let delegate = SessionDelegate { answers in
            answers.act = { event, task in
                guard case .completed = event, let task else { return }
                log.record(-task.taskIdentifier)
            }
        }
        let session = URLSession.test(delegate: delegate, queue: queue.operations)
        let url = try server.at("/")
        let tasks = (0..<50).map { _ in session.dataTask(with: url) }
        // Without a transfer, a task completes in the call that cancels it.
        for task in tasks.prefix(25) { task.resume() }
        // As a block of the queue, which is busy until all tasks are cancelled.
        queue.add(in: session) {
            for task in tasks {
                queue.add(in: session) { log.record(task.taskIdentifier) }
                task.cancel()
            }
        }
        let events = try await log.wait(count: 100)
        for task in tasks {
            let mark = try #require(events.firstIndex(of: task.taskIdentifier))
            let completion = try #require(events.firstIndex(of: -task.taskIdentifier))
            #expect(mark < completion, "task \(task.taskIdentifier)")
        }
        session.invalidateAndCancel()
    }

    @Test(
        "Given a task that is scheduled on the queue, then work added before cancelling comes first",
        arguments: Place.allCases
    )
    func workComesBeforeTheEndOfAScheduledTask(_ place: Place) async throws {
        let queue = Queue(place)
        let log = EventRecorder<String>()
        let delegate = SessionDelegate { answers in
            answers.act = { event, _ in log.record("\(event)") }
        }
        let session = URLSession.test(delegate: delegate, queue: queue.operations)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        request.httpMethod = "POST"
        let task = session.uploadTask(withStreamedRequest: request)
        // As a block of the queue, which is busy until the task is cancelled.
        queue.add(in: session) {
            // The delegate is to be asked for a stream, as soon as the queue is free.
            task.resume()
            queue.add(in: session) { log.record("work") }
            task.cancel()
        }
        let events = try await log.wait(count: 3)
        #expect(events.first == "work")
        #expect(events.last?.hasPrefix("completed") == true)
        #expect(events.count == 3)
        session.invalidateAndCancel()
    }

    @Test(
        "Given work that a delegate's call adds, then it runs before the next call",
        arguments: Place.allCases
    )
    func workAddedByACallComesBeforeTheNextCall(_ place: Place) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = Queue(place)
        let session = Watched<URLSession?>(nil)
        let log = EventRecorder<String>()
        let delegate = SessionDelegate { answers in
            answers.act = { event, _ in
                log.record("\(event)")
                guard let session = session.read({ $0 }) else { return }
                queue.add(in: session) { log.record("after \(event)") }
            }
        }
        let created = URLSession.test(delegate: delegate, queue: queue.operations)
        session.update { $0 = created }
        created.dataTask(with: try server.at("/")).resume()
        let events = try await log.wait(count: 10)
        for place in stride(from: 0, to: events.count, by: 2) {
            #expect(events[place + 1] == "after \(events[place])")
        }
        #expect(events.count == 10)
        session.update { $0 = nil }
        created.invalidateAndCancel()
    }

    @Test(
        "Given a barrier block that a delegate's call adds, then it runs before the next call",
        arguments: [Place.programsQueue, .sessionsQueue]
    )
    func barrierComesBeforeTheNextCall(_ place: Place) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = Queue(place)
        let session = Watched<URLSession?>(nil)
        let log = EventRecorder<String>()
        let delegate = SessionDelegate { answers in
            answers.act = { event, _ in
                log.record("\(event)")
                guard let session = session.read({ $0 }) else { return }
                session.delegateQueue.addBarrierBlock { log.record("after \(event)") }
            }
        }
        let created = URLSession.test(delegate: delegate, queue: queue.operations)
        session.update { $0 = created }
        created.dataTask(with: try server.at("/")).resume()
        let events = try await log.wait(count: 10)
        for place in stride(from: 0, to: events.count, by: 2) {
            #expect(events[place + 1] == "after \(events[place])")
        }
        #expect(events.count == 10)
        session.update { $0 = nil }
        created.invalidateAndCancel()
    }
}
