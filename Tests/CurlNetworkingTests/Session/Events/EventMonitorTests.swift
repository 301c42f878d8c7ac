internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The events that monitors receive.
@Suite(.timeLimit(.minutes(10))) struct EventMonitorTests {
    @Test("A-17: A monitor gets all events of a task, in order, on its queue")
    func monitorGetsAllTaskEvents() async throws {
        let isResumed = Gate()
        let server = try LoopbackServer { request in
            request.path == "/from"
                ? .redirect(307, to: "/to").after(isResumed) : .text("hello")
        }
        let manager = URLSessionManager.strict()
        let monitor = JournalMonitor()
        manager.eventMonitors = [monitor]
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request("/from", method: "PUT", body: Data("hi".utf8)),
            completionHandler: completions.handler
        )
        task.resume()
        task.suspend()
        task.resume()
        isResumed.open()
        _ = try await completions.only()
        try await monitor.ended()
        let events = monitor.events.filter { !["sent", "data"].contains($0) }
        #expect(
            events == [
                "created", "resumed", "suspended", "resumed", "redirect 307 /to", "response 200",
                "metrics", "over", "serialized 5", "completed 5",
            ]
        )
        #expect(monitor.events.contains("sent"))
        #expect(monitor.events.contains("data"))
        #expect(monitor.isOnQueue)
    }

    @Test("A-17: If monitors are set concurrently, one assignment wins completely")
    func monitorsAreSetAtOnce() {
        for _ in 0..<2000 {
            let manager = URLSessionManager.test()
            let monitor = JournalMonitor()
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                manager.eventMonitors = number % 2 == 0 ? [] : [monitor]
            }
            #expect((manager.core.monitors == nil) == manager.eventMonitors.isEmpty)
        }
    }

    @Test("A-17: A monitor gets the events of retries")
    func monitorGetsRetryEvents() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let manager = URLSessionManager.strict(
            Interceptor(
                adapters: [
                    Adapter { request, attempt in
                        guard attempt.retryCount != 1 else { throw Refusal(status: 1) }
                        return request
                    }
                ],
                retriers: [Retrier.times(2)]
            )
        )
        let monitor = JournalMonitor()
        manager.eventMonitors = [monitor]
        _ = try await manager.load(server.request())
        try await monitor.ended()
        #expect(
            monitor.events.filter { $0 != "data" } == [
                "created", "resumed", "adapted", "response 503", "serialized error",
                "retry Refusal(status: 503)", "not adapted", "retry Refusal(status: 1)", "adapted",
                "response 200", "serialized 5", "metrics", "over", "completed 5",
            ]
        )
    }

    @Test("A-17: A monitor gets the events of downloads and their moves")
    func monitorGetsDownloadEvents() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path + "/file")
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict()
        let monitor = JournalMonitor()
        manager.eventMonitors = [monitor]
        _ = try await manager.download(for: server.request()) { _, _ in file }
        try await monitor.ended()
        #expect(
            monitor.events == [
                "created", "resumed", "written 5", "moved file", "metrics", "over",
                "serialized file", "completed file",
            ]
        )
        await #expect(throws: (any Error).self) {
            _ = try await manager.download(for: server.request()) { _, _ in file }
        }
        _ = try await monitor.recorder.first { $0 == "not moved file" }
    }

    @Test("A-17: A monitor gets failures to create a request, and the session's invalidation")
    func monitorGetsRequestFailuresAndInvalidation() async throws {
        let monitor = JournalMonitor()
        let manager = HTTPSessionManager.forTest()
        manager.eventMonitors = [monitor]
        #expect(manager.get("", success: nil, failure: nil) == nil)
        _ = try await monitor.recorder.first { $0 == "no request" }
        manager.invalidateSessionCancelingTasks(true, resetSession: true)
        _ = try await monitor.recorder.first { $0 == "invalid" }
    }

    @Test("A-17: A composite monitor forwards events to all its monitors")
    func compositeMonitorForwardsToAll() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict()
        let monitors = [JournalMonitor(), JournalMonitor()]
        manager.eventMonitors = [CompositeEventMonitor(monitors: monitors)]
        _ = try await manager.load(server.request())
        for monitor in monitors { try await monitor.ended() }
        #expect(monitors[0].events == monitors[1].events)
        #expect(
            monitors[0].events == [
                "created", "resumed", "response 200", "data", "metrics", "over", "serialized 5",
                "completed 5",
            ]
        )
    }

    @Test("A-17: Only monitors that want body data get it")
    func onlyInterestedMonitorsGetBodyData() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict()
        let (alone, plain) = (JournalMonitor(wantsData: false), JournalMonitor(wantsData: false))
        let wanting = JournalMonitor()
        let composite = CompositeEventMonitor(monitors: [plain, wanting])
        #expect(composite.wantsData)
        #expect(!CompositeEventMonitor(monitors: [plain]).wantsData)
        #expect(!RetryMonitor(gate: Gate()).wantsData)
        manager.eventMonitors = [alone, composite]
        #expect(try await manager.load(server.request()).text == "hello")
        for monitor in [alone, plain, wanting] {
            try await monitor.ended()
            let isReported = monitor.events.contains("data")
            #expect(isReported == monitor.wantsData)
            #expect(monitor.events.contains("response 200"))
        }
    }

    @Test("A-17: A monitor can receive events as values")
    func monitorCanReceiveEventValues() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict()
        let monitors = [ValueMonitor(), ValueMonitor()]
        manager.eventMonitors = [monitors[0], CompositeEventMonitor(monitors: [monitors[1]])]
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        task.resume()
        for monitor in monitors {
            _ = try await monitor.recorder.first { $0 == "completed 5" }
            #expect(
                monitor.recorder.events == [
                    "created \(task.taskIdentifier)", "other", "response", "data 5", "other",
                    "other", "other", "completed 5",
                ]
            )
        }
    }

    /// Receives events as values.
    private final class ValueMonitor: EventMonitor {
        let queue = DispatchQueue(label: "values")
        let wantsData = true
        let recorder = EventRecorder<String>()

        func receive(_ event: SessionEvent) {
            switch event {
            case .didCreate(let task): recorder.record("created \(task.taskIdentifier)")
            case .didReceiveResponse: recorder.record("response")
            case .didReceiveData(_, _, let data): recorder.record("data \(data.count)")
            case .didComplete(_, let outcome):
                recorder.record("completed \((outcome.object as? Data)?.count ?? 0)")
            default: recorder.record("other")
            }
        }

        /// Not called, because the monitor implements `receive`.
        func taskDidResume(_ task: URLSessionTask) { recorder.record("a method") }
    }

    @Test("A-17: A removed monitor gets no more events")
    func monitorsCanBeRemoved() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let manager = URLSessionManager.strict()
        let (former, latter) = (JournalMonitor(), JournalMonitor())
        manager.eventMonitors = [former]
        manager.eventMonitors = [latter]
        _ = try await manager.load(server.request())
        try await latter.ended()
        manager.eventMonitors = []
        let count = latter.events.count
        _ = try await manager.load(server.request())
        await latter.settle()
        #expect(latter.events.count == count)
        #expect(former.events.isEmpty)
        #expect(manager.core.monitors == nil)
    }
}
