internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Completions and notifications that wait for the main queue.
@Suite(.timeLimit(.minutes(10))) struct MainQueueTests {
    @Test("D-1: If a completion waits too long for the main queue, one warning is logged")
    func lateCompletionLogsOneWarning() async throws {
        let warnings = EventRecorder<String>()
        let main = DispatchQueue(label: "main")
        let queue = MainQueue(queue: main, patience: .milliseconds(5)) { warnings.record($0) }
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager(core: ManagerCore(configuration: nil, mainQueue: queue))
        manager.responseSerializer = ScriptedSerializer { _, data in (data, nil) }
        let release = Gate()
        defer { release.open() }
        let completions = EventRecorder<Completion>()
        // The main queue is blocked until the warning has been logged.
        main.async { release.waitBlocking() }
        for _ in 0..<3 {
            let request = try server.request()
            manager.dataTask(with: request, completionHandler: completions.handler).resume()
        }
        #expect(try await warnings.wait(count: 1) == [MainQueue.warning])
        #expect(completions.events.isEmpty)
        release.open()
        // The completions are called nevertheless.
        let all = try await completions.wait(count: 3)
        #expect(all.allSatisfy { $0.status == 200 })
        #expect(warnings.events.count == 1)
    }

    @Test("D-1: The warning names the remedies")
    func theWarningSaysWhatToDo() {
        #expect(MainQueue.warning.contains("completionQueue"))
        #expect(MainQueue.warning.contains("dispatchMain()"))
    }

    @Test("D-1: Completions that don't wait too long log no warning")
    func timelyCompletionLogsNoWarning() async throws {
        let warnings = EventRecorder<String>()
        let looks = Watched<[@Sendable () -> Void]>([])
        // Breaks a reference cycle: the scheduled checks retain the queue, which retains them.
        defer { looks.update { $0 = [] } }
        // With no patience, any completion that is pending at the check has waited too long.
        let queue = MainQueue(patience: .zero, later: looks.append) { warnings.record($0) }
        let called = EventRecorder<Bool>()
        for round in 1...2 {
            for _ in 0..<100 {
                queue.async(group: DispatchGroup(), isAwaited: true) {
                    called.record(MainQueueMark.isOnMainQueue)
                }
            }
            let all = try await called.wait(count: round * 100)
            #expect(all.allSatisfy { $0 })
            // One check is scheduled, and another one after further completions.
            #expect(looks.read { $0 }.count == round)
            looks.read { $0 }.last?()
            #expect(warnings.events.isEmpty)
        }
    }

    @Test("D-1: A completion that is still pending at the check logs a warning")
    func pendingCompletionLogsAWarning() {
        let main = DispatchQueue(label: "main")
        let warnings = EventRecorder<String>()
        let looks = Watched<[@Sendable () -> Void]>([])
        // Breaks a reference cycle: the scheduled checks retain the queue, which retains them.
        defer { looks.update { $0 = [] } }
        let queue = MainQueue(queue: main, patience: .zero, later: looks.append) {
            warnings.record($0)
        }
        main.suspend()
        queue.async(group: DispatchGroup(), isAwaited: false) {}
        #expect(looks.read { $0.isEmpty })
        queue.async(group: DispatchGroup(), isAwaited: true) {}
        looks.read { $0 }.last?()
        #expect(warnings.events == [MainQueue.warning])
        main.resume()
    }

    @Test("Q-07: If the main queue isn't drained, only the latest notifications are kept")
    func notificationsAreLimited() async throws {
        let main = DispatchQueue(label: "main")
        let queue = MainQueue(queue: main, patience: .zero) { _ in }
        let task = try task()
        defer { task.cancel() }
        let recorder = NotificationRecorder(of: task)
        let release = Gate()
        defer { release.open() }
        main.async { release.waitBlocking() }
        for number in 0..<1500 {
            let isFirst = number < 500
            queue.post(
                MainNotification(
                    name: isFirst ? .networkingTaskDidResume : .networkingTaskDidSuspend,
                    task: task
                )
            )
        }
        release.open()
        let posted = try await recorder.wait(count: 1000)
        #expect(posted.count == 1000)
        #expect(posted.allSatisfy { $0.name == .networkingTaskDidSuspend })
        // The block that posts ends shortly after the last recording. Until then, later
        // notifications don't count as old, and none is dropped.
        main.sync {}
        // The same happens after the queue has been drained once.
        let again = Gate()
        defer { again.open() }
        main.async { again.waitBlocking() }
        for _ in 0..<1500 {
            queue.post(MainNotification(name: .networkingTaskDidResume, task: task))
        }
        again.open()
        main.sync {}
        #expect(try await recorder.wait(count: 2000).count == 2000)
    }

    @Test("Q-07: The number of pending notifications is limited, with one warning")
    func pendingNotificationsAreLimited() async throws {
        let main = DispatchQueue(label: "main")
        let warnings = EventRecorder<String>()
        let queue = MainQueue(queue: main, patience: .seconds(3600)) { warnings.record($0) }
        let task = try task()
        defer { task.cancel() }
        let recorder = NotificationRecorder(of: task)
        let release = Gate()
        defer { release.open() }
        main.async { release.waitBlocking() }
        let most = WaitingNotifications.most
        for number in 0..<(most + 500) {
            let isOld = number < 500
            queue.post(
                MainNotification(
                    name: isOld ? .networkingTaskDidResume : .networkingTaskDidSuspend,
                    task: task
                )
            )
        }
        #expect(warnings.events == [MainQueue.dropWarning])
        release.open()
        let posted = try await recorder.wait(count: most)
        #expect(posted.count == most)
        #expect(posted.allSatisfy { $0.name == .networkingTaskDidSuspend })
    }

    @Test("Q-07: The bytes of pending notifications are limited")
    func pendingNotificationBytesAreLimited() async throws {
        let main = DispatchQueue(label: "main")
        let warnings = EventRecorder<String>()
        let queue = MainQueue(queue: main, patience: .seconds(3600)) { warnings.record($0) }
        let task = try task()
        defer { task.cancel() }
        let recorder = NotificationRecorder(of: task)
        let release = Gate()
        defer { release.open() }
        main.async { release.waitBlocking() }
        func post(_ size: Int, _ count: Int) {
            let outcome = TaskOutcome(
                TaskOutcome.Parts(
                    response: nil,
                    data: Data(count: size),
                    file: nil,
                    metrics: nil,
                    error: nil,
                    serializer: HTTPResponseSerializer()
                )
            )
            for _ in 0..<count {
                queue.post(
                    MainNotification(
                        name: .networkingTaskDidComplete,
                        task: task,
                        outcome: outcome
                    )
                )
            }
        }
        post(1 << 20, 64)
        #expect(warnings.events.isEmpty)
        post(1 << 20, 36)
        #expect(warnings.events == [MainQueue.dropWarning])
        release.open()
        #expect(try await recorder.wait(count: 64).count == 64)
        main.sync {}
        let again = Gate()
        defer { again.open() }
        main.async { again.waitBlocking() }
        // The latest notification is kept, whatever its size.
        post(1, 3)
        post(65 << 20, 1)
        again.open()
        let posted = try await recorder.wait(count: 65)
        #expect(posted.count == 65)
        #expect(posted.last?.data?.count == 65 << 20)
    }

    @Test("Q-07: Excess notifications of a burst are dropped without a further notification")
    func burstIsDroppedWithoutFurtherNotification() async throws {
        let main = DispatchQueue(label: "main")
        let warnings = EventRecorder<String>()
        let queue = MainQueue(queue: main, patience: .milliseconds(300)) { warnings.record($0) }
        let task = try task()
        defer { task.cancel() }
        let recorder = NotificationRecorder(of: task)
        // The queue is drained once, and then blocked.
        queue.post(MainNotification(name: .networkingTaskDidResume, task: task))
        _ = try await recorder.wait(count: 1)
        let release = Gate()
        defer { release.open() }
        main.async { release.waitBlocking() }
        for _ in 0..<1500 {
            queue.post(MainNotification(name: .networkingTaskDidSuspend, task: task))
        }
        #expect(try await warnings.wait(count: 1) == [MainQueue.dropWarning])
        release.open()
        #expect(try await recorder.wait(count: 1001).count == 1001)
    }

    /// A task that is never resumed.
    private func task() throws -> URLSessionTask {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let manager = URLSessionManager.test()
        return manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
    }
}

extension Watched where Value == [@Sendable () -> Void] {
    /// Records a scheduled action for the test to run.
    fileprivate func append(_ delay: Duration, _ act: @escaping @Sendable () -> Void) {
        update { $0.append(act) }
    }
}
