internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct URLSessionManagerTests {
    @Test("S-01: A manager has a serial queue and the default configuration")
    func aNewManager() async throws {
        let manager = URLSessionManager()
        #expect(manager.operationQueue.maxConcurrentOperationCount == 1)
        #expect(manager.completionQueue == nil)
        #expect(manager.completionGroup == nil)
        #expect(manager.tasks.isEmpty)
        #expect(manager.session.configuration.timeoutIntervalForRequest == 60)
        // Another test temporarily replaces the shared cache.
        try await Inspection.wait {
            URLSessionManager().session.configuration.urlCache === URLCache.shared
        }
    }

    @Test("S-01, S-03: A session has the given configuration and the manager's queue")
    func aSessionHasTheConfiguration() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        let manager = URLSessionManager(sessionConfiguration: configuration)
        // The session has a copy.
        configuration.timeoutIntervalForRequest = 8
        #expect(manager.session.configuration.timeoutIntervalForRequest == 7)
        #expect(manager.session === manager.session)
        #expect(manager.session.delegateQueue === manager.operationQueue)
    }

    @Test("S-08: Tasks are listed by kind until they complete")
    func tasksAreListed() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let completions = EventRecorder<Completion>()
        let download = manager.downloadTask(
            with: request,
            completionHandler: completions.downloadHandler
        )
        let upload = manager.uploadTask(
            with: request,
            from: Data("hi".utf8),
            completionHandler: completions.handler
        )
        let data = manager.dataTask(with: request, completionHandler: completions.handler)
        #expect(manager.tasks == [data, upload, download])
        data.resume()
        upload.resume()
        upload.suspend()
        #expect(manager.tasks == [data, upload, download])
        #expect(manager.dataTasks == [data])
        #expect(manager.uploadTasks == [upload])
        #expect(manager.downloadTasks == [download])
        upload.resume()
        download.resume()
        gate.open()
        _ = try await completions.wait(count: 3)
        #expect(manager.tasks.isEmpty)
    }

    @Test("S-08: Tasks can be listed in a handler")
    func tasksCanBeListedInAHandler() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let counts = EventRecorder<Int>()
        manager.setDataTaskDidReceiveData { [weak manager] _, _, _ in
            counts.record(manager?.tasks.count ?? -1)
        }
        _ = try await manager.load(server.request())
        #expect(counts.events == [1])
    }

    @Test("S-11, S-56: Invalidation cancels the tasks, and each completes")
    func invalidatingCancelsTasks() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let invalid = Gate()
        manager.setSessionDidBecomeInvalid { _, _ in invalid.open() }
        let completions = EventRecorder<Completion>()
        for _ in 0..<3 {
            let request = try server.request()
            manager.dataTask(with: request, completionHandler: completions.handler).resume()
        }
        try await server.requests(count: 3)
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
        let codes = try await completions.wait(count: 3).map(\.code)
        #expect(codes == [-999, -999, -999])
        try await invalid.wait()
        // A task that is created now fails.
        #expect(try await manager.load(server.request()).code == -999)
    }

    @Test("S-11, S-12: After a reset, old tasks continue alongside new ones")
    func oldTasksContinueAfterAReset() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/old" ? .text("old").after(gate) : .text("new")
        }
        let manager = URLSessionManager.test()
        let former = manager.session
        let completions = EventRecorder<Completion>()
        let old = manager.dataTask(
            with: try server.request("/old"),
            completionHandler: completions.handler
        )
        old.resume()
        manager.invalidateSessionCancelingTasks(false, resetSession: true)
        #expect(manager.session !== former)
        #expect(manager.session.configuration.timeoutIntervalForRequest == 300)
        let new = manager.dataTask(with: try server.request("/new"), completionHandler: nil)
        #expect(new.taskIdentifier == old.taskIdentifier)
        #expect(manager.uploadProgress(for: new) !== manager.uploadProgress(for: old))
        #expect(try await manager.load(server.request("/new")).text == "new")
        gate.open()
        #expect(try await completions.only().text == "old")
        new.cancel()
    }

    @Test("S-13: A task's description belongs to the caller and has no effect")
    func taskDescriptionBelongsToTheCaller() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        #expect(task.taskDescription == nil)
        task.taskDescription = "mine"
        let recorder = NotificationRecorder(of: task)
        task.resume()
        _ = try await recorder.first(.networkingTaskDidComplete)
        #expect(recorder.names.first == .networkingTaskDidResume)
        #expect(task.taskDescription == "mine")
    }

    @Test("S-14: Tasks are created suspended")
    func tasksAreCreatedSuspended() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        #expect(task.state == .suspended)
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(task.state == .suspended)
        #expect(server.requestCount == 1)
        task.cancel()
    }

    @Test("S-15: A manager's description has its class, session and queue")
    func aManagerDescribesItself() {
        let text = URLSessionManager.test().description
        #expect(text.hasPrefix("<URLSessionManager: 0x"))
        #expect(text.contains("session: ") && text.contains("operationQueue: "))
    }

    @Test("S-18: A copy has only the configuration")
    func aCopyHasTheConfigurationAlone() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test { $0.timeoutIntervalForResource = 77 }
        let called = EventRecorder<Void>()
        manager.setTaskDidComplete { _, _, _ in called.record(()) }
        manager.completionGroup = DispatchGroup()
        manager.responseSerializer = ScriptedSerializer { _, _ in ("mine", nil) }
        let copy = try #require(manager.copy() as? URLSessionManager)
        #expect(copy.session.configuration.timeoutIntervalForResource == 77)
        #expect(copy.session !== manager.session)
        #expect(copy.completionQueue == nil && copy.completionGroup == nil)
        copy.completionQueue = manager.completionQueue
        #expect(!(copy.responseSerializer is ScriptedSerializer))
        #expect(try await copy.load(server.request()).status == 200)
        #expect(called.events.isEmpty)
    }

    @Test("S-05: A response is serialized by the manager's serializer at the task's completion")
    func theSerializerIsReadAtCompletion() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await server.requests(count: 1)
        manager.responseSerializer = ScriptedSerializer { _, _ in ("later", nil) }
        gate.open()
        #expect(try await completions.only().object as? String == "later")
    }

    @Test("S-05: A task can have its own serializer")
    func taskCanHaveItsOwnSerializer() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, _ in ("the manager's", nil) }
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        let own = ScriptedSerializer { _, _ in ("its own", nil) }
        manager.setResponseSerializer(own, for: task)
        task.resume()
        #expect(try await completions.only().object as? String == "its own")
        let other = try await manager.load(server.request())
        #expect(other.object as? String == "the manager's")
    }

    @Test("S-07: A manager has a reachability manager, but doesn't read its status")
    func aManagerHasAReachabilityManager() async throws {
        let server = try LoopbackServer { _ in .text("reached") }
        let manager = URLSessionManager.test()
        #expect(manager.reachabilityManager === NetworkReachabilityManager.shared())
        let source = ScriptedReachability(initial: .notReachable)
        let reachability = NetworkReachabilityManager(reachability: source)
        manager.reachabilityManager = reachability
        #expect(manager.reachabilityManager === reachability)
        #expect(try await manager.load(server.request()).text == "reached")
        #expect(source.starts == 0)
    }

    @Test("S-19: Any thread can configure a manager while tasks are running")
    func aManagerIsSetUpOnAnyThread() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let request = try server.request()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        manager.setTaskDidComplete { _, _, _ in }
                        manager.responseSerializer = ScriptedSerializer { _, _ in (number, nil) }
                        manager.completionGroup = DispatchGroup()
                        manager.dataTask(with: request, completionHandler: completions.handler)
                            .resume()
                    }
                }
            }
        }
        let all = try await completions.wait(count: 200)
        #expect(all.allSatisfy { $0.object is Int && $0.error == nil })
    }
}
