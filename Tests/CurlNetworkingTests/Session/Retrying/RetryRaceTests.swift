internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Cancellation, invalidation and suspension during attempts, delays and interceptor calls.
@Suite(.timeLimit(.minutes(10))) struct RetryRaceTests {
    private static let count = 2000

    /// What a task is doing when it is interrupted.
    enum Place: CaseIterable, Sendable {
        case adapting, deciding, waiting
    }

    /// Returns an interceptor that blocks a task at a place, and opens `arrived` when the task is
    /// there.
    private func interceptor(_ place: Place, _ arrived: Gate) -> any RequestInterceptor {
        let never = Gate()
        switch place {
        case .adapting:
            return Adapter { request, _ in
                arrived.open()
                try await never.wait()
                return request
            }
        case .deciding:
            return Retrier { _, _ in
                arrived.open()
                try? await never.wait()
                return .retry
            }
        case .waiting:
            return Retrier { _, _ in .retryWithDelay(3600) }
        }
    }

    /// Creates and resumes a task, and returns when it has reached a place.
    private func stuckTask(
        _ place: Place,
        _ manager: URLSessionManager,
        _ server: LoopbackServer,
        _ completions: EventRecorder<Completion>
    ) async throws -> URLSessionDataTask {
        let arrived = Gate()
        manager.interceptor = interceptor(place, arrived)
        if place == .waiting { manager.eventMonitors = [RetryMonitor(gate: arrived)] }
        let task = try manager.dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await arrived.wait()
        return task
    }

    @Test(
        "A-11: A task can be cancelled at any stage, and completes once",
        arguments: Place.allCases
    )
    func taskCanBeCancelledAtAnyStage(_ place: Place) async throws {
        let server = try LoopbackServer.replying(.status(503))
        let manager = URLSessionManager.strict()
        let completions = EventRecorder<Completion>()
        let task = try await stuckTask(place, manager, server, completions)
        task.cancel()
        let completion = try await completions.only()
        #expect((completion.error as? URLError)?.code == .cancelled)
        await manager.settle()
        #expect(completions.events.count == 1)
        #expect(task.state == .completed)
        #expect(manager.tasks.isEmpty)
        #expect(server.requestCount == (place == .adapting ? 0 : 1))
    }

    @Test("A-11: Invalidation cancels tasks at any stage", arguments: Place.allCases)
    func invalidationCancelsTasksAtAnyStage(_ place: Place) async throws {
        let server = try LoopbackServer.replying(.status(503))
        let manager = URLSessionManager.strict()
        let (completions, invalid) = (EventRecorder<Completion>(), Gate())
        manager.setSessionDidBecomeInvalid { _, _ in invalid.open() }
        _ = try await stuckTask(place, manager, server, completions)
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
        #expect((try await completions.only().error as? URLError)?.code == .cancelled)
        try await invalid.wait()
        #expect(completions.events.count == 1)
    }

    @Test("A-11: A pending task retains its manager until it ends", arguments: Place.allCases)
    func pendingTaskRetainsItsManager(_ place: Place) async throws {
        let server = try LoopbackServer.replying(.status(503))
        let (completions, invalid) = (EventRecorder<Completion>(), Gate())
        weak var manager: URLSessionManager?
        var task: URLSessionDataTask?
        do {
            let made = URLSessionManager.strict()
            manager = made
            made.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            task = try await stuckTask(place, made, server, completions)
        }
        #expect(manager != nil)
        task?.cancel()
        _ = try await completions.only()
        try await invalid.wait()
        #expect(manager == nil)
    }

    @Test("A-11: A suspended task isn't retried before it is resumed")
    func suspendedTaskIsNotRetried() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let (deciding, proceed, adapted) = (Gate(), Gate(), Gate())
        let manager = URLSessionManager.strict(
            Interceptor(
                adapters: [
                    Adapter { request, attempt in
                        if attempt.retryCount > 0 { adapted.open() }
                        return request
                    }
                ],
                retriers: [
                    Retrier { _, _ in
                        deciding.open()
                        try? await proceed.wait()
                        return .retry
                    }
                ]
            )
        )
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await deciding.wait()
        task.suspend()
        proceed.open()
        try await adapted.wait()
        await manager.settle()
        #expect(server.requestCount == 1)
        #expect(task.state == .suspended)
        task.resume()
        #expect(try await completions.only().text == "hello")
    }

    @Test("A-11: Cancelling a Swift task during a retry delay cancels the request")
    func cancellingDuringRetryDelayCancelsTheRequest() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let waiting = Gate()
        let manager = URLSessionManager.strict(Retrier.times(1, after: 3600))
        manager.eventMonitors = [RetryMonitor(gate: waiting)]
        let request = try server.request()
        let task = Task { try await manager.object(for: request) }
        try await waiting.wait()
        task.cancel()
        let error = try await urlError { _ = try await task.value }
        #expect(error.code == .cancelled)
    }

    @Test("A-11: Thousands of retried tasks complete once each, with their own bodies")
    func thousandsOfRetriedTasksCompleteOnce() async throws {
        let seen = Watched<Set<String>>([])
        let server = try LoopbackServer { request in
            let isFirst = seen.update { $0.insert(request.path).inserted }
            return isFirst ? .text("refused", status: 503) : .text(request.path)
        }
        let retrier = Retrier.times(1, after: 0.001)
        let manager = URLSessionManager.strict(retrier) { $0.httpMaximumConnectionsPerHost = 32 }
        let right = Watched([Int](repeating: 0, count: Self.count))
        for number in 0..<Self.count {
            let request = try server.request("/\(number)")
            manager.dataTask(with: request) { _, object, error in
                let isRight = object as? Data == Data("/\(number)".utf8) && error == nil
                right.update { $0[number] += isRight ? 1 : 1000 }
            }.resume()
        }
        try await right.wait { $0.allSatisfy { $0 > 0 } ? () : nil }
        await manager.settle()
        #expect(right.read { $0.allSatisfy { $0 == 1 } })
        #expect(server.requestCount == 2 * Self.count)
    }

    @Test("A-11: If tasks are cancelled during retries, each completes exactly once")
    func cancelledRetriesCompleteExactlyOnce() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        let retrier = Retrier { attempt, _ in
            guard attempt.retryCount < 3 else { return .doNotRetry }
            return attempt.retryCount % 2 == 0 ? .retry : .retryWithDelay(0.001)
        }
        let manager = URLSessionManager.strict(retrier) { $0.httpMaximumConnectionsPerHost = 16 }
        let storm = TaskStorm(manager: manager, request: try server.request())
        try await storm.cancelAtAnyTime { $1 != nil }
    }

    @Test("A-11: If the manager is invalidated during retries, each task completes exactly once")
    func invalidatedRetriesCompleteExactlyOnce() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        let retrier = Retrier.times(2, after: 0.001)
        let manager = URLSessionManager.strict(retrier) { $0.httpMaximumConnectionsPerHost = 16 }
        try await TaskStorm(manager: manager, request: server.request()).invalidateAtAnyTime()
    }
}

/// Opens a gate when a task is about to be retried.
struct RetryMonitor: EventMonitor {
    let gate: Gate

    func taskWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval) {
        gate.open()
    }
}
