internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The order of one task's events, with many concurrent tasks.
@Suite(.timeLimit(.minutes(10))) struct EventOrderTests {
    private enum Event: Int, Sendable {
        case resumed, sent, redirected, response, data, metrics, over, serialized, completed,
            delivered
    }

    private struct Delivered: Sendable {
        let task: Int
        let event: Event
    }

    private static let count = 2000

    /// The number in the task's URL, which identifies it.
    private static func number(_ task: URLSessionTask) -> Int {
        Int(task.originalRequest?.url?.lastPathComponent ?? "") ?? -1
    }

    private func watch(_ manager: URLSessionManager, _ delivered: EventRecorder<Delivered>) {
        let record: @Sendable (URLSessionTask, Event) -> Void = { task, event in
            delivered.record(Delivered(task: Self.number(task), event: event))
        }
        manager.setTaskDidSendBodyData { _, task, _, _, _ in record(task, .sent) }
        manager.setTaskWillPerformHTTPRedirection { _, task, _, request in
            record(task, .redirected)
            return request
        }
        manager.setDataTaskDidReceiveResponse { _, task, _ in
            record(task, .response)
            return .allow
        }
        manager.setDataTaskDidReceiveData { _, task, _ in record(task, .data) }
        manager.setTaskDidFinishCollectingMetrics { _, task, _ in record(task, .metrics) }
        manager.setTaskDidComplete { _, task, _ in record(task, .over) }
        manager.responseSerializer = ScriptedSerializer { response, data in
            let number = Int(response?.url?.lastPathComponent ?? "") ?? -1
            delivered.record(Delivered(task: number, event: .serialized))
            return (data, nil)
        }
    }

    @Test("1.3, Q-07, S-14: Each of thousands of concurrent tasks has its events in order")
    func everyTaskHasItsEventsInOrder() async throws {
        let server = try LoopbackServer { request in
            let path = request.path
            return path.hasPrefix("/from/")
                ? .redirect(307, to: "/to/" + path.dropFirst(6)) : .text("hello")
        }
        let manager = URLSessionManager.test { $0.httpMaximumConnectionsPerHost = 32 }
        let delivered = EventRecorder<Delivered>()
        watch(manager, delivered)
        let kept = Watched<[(URLSessionTask, NotificationRecorder)]>([])
        let over = Watched(0)
        for number in 0..<Self.count {
            let request = try server.request(
                "/from/\(number)",
                method: "POST",
                body: Data("hi".utf8)
            )
            let task = manager.dataTask(with: request) { _, _, _ in
                delivered.record(Delivered(task: number, event: .completed))
            }
            let recorder = NotificationRecorder(
                of: task,
                names: [.networkingTaskDidResume, .networkingTaskDidComplete]
            ) { name in
                let isOver = name == .networkingTaskDidComplete
                delivered.record(Delivered(task: number, event: isOver ? .delivered : .resumed))
                if isOver { over.update { $0 += 1 } }
            }
            // Retained, because a new task could reuse the address of a deallocated one.
            kept.update { $0.append((task, recorder)) }
            task.resume()
        }
        try await over.wait { $0 == Self.count ? () : nil }
        var events: [Int: [Event]] = [:]
        for delivered in delivered.events {
            events[delivered.task, default: []].append(delivered.event)
        }
        #expect(events.count == Self.count)
        let expected: [Event] = [
            .sent, .redirected, .sent, .response, .data, .metrics, .over, .serialized, .completed,
            .delivered,
        ]
        // On the main queue the first notification may be posted late, but not after the last one.
        let wrong = events.filter { entry in
            entry.value.filter { $0 != .resumed } != expected
                || entry.value.filter { $0 == .resumed }.count != 1
                || entry.value.last != .delivered
        }
        let count = wrong.count
        #expect(count == 0, "\(wrong.prefix(2).map { "\($0.key): \($0.value.map(\.rawValue))" })")
        kept.update { $0 = [] }
    }

    @Test("S-56, 1.3: If tasks are cancelled as they end, each completes exactly once")
    func eachCompletesExactlyOnce() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test { $0.httpMaximumConnectionsPerHost = 16 }
        let storm = TaskStorm(manager: manager, request: try server.request())
        try await storm.cancelAtAnyTime { ($0 == nil) != ($1 == nil) }
    }

    @Test("S-11, S-56: If the manager is invalidated as tasks start, each completes exactly once")
    func invalidatingCompletesEachExactlyOnce() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test { $0.httpMaximumConnectionsPerHost = 16 }
        try await TaskStorm(manager: manager, request: server.request()).invalidateAtAnyTime()
    }
}
