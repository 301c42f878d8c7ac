internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// What waits for the main queue.
@Suite(.timeLimit(.minutes(10))) struct MainQueueTests {
    @Test("D-1: a completion that waits for the main queue is warned of, once")
    func aCompletionThatWaitsIsWarnedOf() async throws {
        let warnings = EventRecorder<String>()
        let main = DispatchQueue(label: "main")
        let queue = MainQueue(queue: main, patience: .milliseconds(5)) { warnings.record($0) }
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager(core: ManagerCore(configuration: nil, mainQueue: queue))
        manager.responseSerializer = ScriptedSerializer { _, data in (data, nil) }
        let release = Gate()
        defer { release.open() }
        let completions = EventRecorder<Completion>()
        // The main queue stands still until the warning has come.
        main.async { release.waitBlocking() }
        for _ in 0..<3 {
            let request = try server.request()
            manager.dataTask(with: request, completionHandler: completions.handler).resume()
        }
        #expect(try await warnings.wait(count: 1) == [MainQueue.warning])
        #expect(completions.events.isEmpty)
        release.open()
        // They are called all the same.
        let all = try await completions.wait(count: 3)
        #expect(all.allSatisfy { $0.status == 200 })
        #expect(warnings.events.count == 1)
    }

    @Test("D-1: the warning says what to do")
    func theWarningSaysWhatToDo() {
        #expect(MainQueue.warning.contains("completionQueue"))
        #expect(MainQueue.warning.contains("dispatchMain()"))
    }

    @Test("D-1: nobody is warned of what doesn't wait")
    func nobodyIsWarnedOfWhatDoesNotWait() async throws {
        let warnings = EventRecorder<String>()
        let queue = MainQueue(patience: .seconds(3600)) { warnings.record($0) }
        let called = EventRecorder<Bool>()
        for _ in 0..<100 {
            queue.async(group: DispatchGroup(), isAwaited: true) {
                called.record(MainQueueMark.isOnMainQueue)
            }
        }
        let all = try await called.wait(count: 100)
        #expect(all.allSatisfy { $0 })
        #expect(warnings.events.isEmpty)
    }

    @Test("Q-07: notifications for a main queue that is never drained are limited to the latest")
    func notificationsAreLimited() async throws {
        let main = DispatchQueue(label: "main")
        let queue = MainQueue(queue: main, patience: .zero) { _ in }
        let manager = URLSessionManager.test()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let task = manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
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
        // It is drained, so that whatever waits will be posted.
        let again = Gate()
        defer { again.open() }
        main.async { again.waitBlocking() }
        for _ in 0..<1500 {
            queue.post(MainNotification(name: .networkingTaskDidResume, task: task))
        }
        again.open()
        #expect(try await recorder.wait(count: 2500).count == 2500)
    }
}
