internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct NotificationTests {
    private static let names: [(Notification.Name, String)] = [
        (.networkingTaskDidResume, "com.alamofire.networking.task.resume"),
        (.networkingTaskDidSuspend, "com.alamofire.networking.task.suspend"),
        (.networkingTaskDidComplete, "com.alamofire.networking.task.complete"),
        (.urlSessionDidInvalidate, "com.alamofire.networking.session.invalidate"),
        (
            .urlSessionDownloadTaskDidMoveFileSuccessfully,
            "com.alamofire.networking.session.download.file-manager-succeed"
        ),
        (
            .urlSessionDownloadTaskDidFailToMoveFile,
            "com.alamofire.networking.session.download.file-manager-error"
        ),
    ]

    @Test("C-01, C-02, C-03, C-04, C-05, C-06: Notifications have AFNetworking's names")
    func notificationsHaveTheirNames() {
        for (name, text) in Self.names { #expect(name.rawValue == text) }
    }

    private static let keys = [
        (
            NetworkingTaskDidCompleteSerializedResponseKey,
            "com.alamofire.networking.task.complete.serializedresponse"
        ),
        (
            NetworkingTaskDidCompleteResponseSerializerKey,
            "com.alamofire.networking.task.complete.responseserializer"
        ),
        (
            NetworkingTaskDidCompleteResponseDataKey,
            "com.alamofire.networking.complete.finish.responsedata"
        ),
        (NetworkingTaskDidCompleteErrorKey, "com.alamofire.networking.task.complete.error"),
        (NetworkingTaskDidCompleteAssetPathKey, "com.alamofire.networking.task.complete.assetpath"),
        (
            NetworkingTaskDidCompleteSessionTaskMetrics,
            "com.alamofire.networking.complete.sessiontaskmetrics"
        ),
    ]

    @Test("C-08, C-09, C-10, C-11, C-12, C-13: User info keys are AFNetworking's")
    func keysOfUserInfosHaveTheirNames() {
        for (key, text) in Self.keys { #expect(key == text) }
    }

    @Test("C-01, C-02, Q-10: Each resume and each suspend posts a notification on the main queue")
    func resumeAndSuspendPostNotifications() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        // The task is running, so this posts nothing.
        task.resume()
        task.suspend()
        task.resume()
        gate.open()
        let posted = try await recorder.wait(count: 4)
        #expect(
            posted.map(\.name) == [
                .networkingTaskDidResume, .networkingTaskDidSuspend, .networkingTaskDidResume,
                .networkingTaskDidComplete,
            ]
        )
        #expect(posted.allSatisfy { $0.isOnMainQueue })
        #expect(posted.prefix(3).allSatisfy { $0.keys.isEmpty })
    }

    @Test("C-02: Suspending a task that was never resumed posts no notification")
    func suspendingANewTaskPostsNothing() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.suspend()
        task.resume()
        task.resume()
        _ = try await recorder.first(.networkingTaskDidComplete)
        // The extra suspend needs a second resume. The task isn't running at either resume, so both
        // post.
        #expect(
            recorder.names == [
                .networkingTaskDidResume, .networkingTaskDidResume, .networkingTaskDidComplete,
            ]
        )
    }

    @Test("Q-10, S-56: Cancelling a task posts neither a resume nor a suspend notification")
    func cancellingPostsNoResumeOrSuspend() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        let recorder = NotificationRecorder(of: task)
        task.cancel()
        #expect(try await completions.only().code == -999)
        _ = try await recorder.first(.networkingTaskDidComplete)
        #expect(recorder.names == [.networkingTaskDidComplete])
    }

    @Test("C-01: Tasks that the manager didn't create post no notifications")
    func foreignTasksPostNothing() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let completed = Gate()
        manager.setTaskDidComplete { _, _, _ in completed.open() }
        let task = manager.session.dataTask(with: try server.request())
        let recorder = NotificationRecorder(of: task)
        task.resume()
        try await completed.wait()
        await MainActor.run {}
        #expect(recorder.names.isEmpty)
    }

    @Test("C-03, C-08, C-09, C-10, C-13, Q-07: A completion is posted after its completion handler")
    func completionIsPostedAfterItsHandler() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, data in (data, nil) }
        // On the same queue as the notification, so that their order is defined.
        manager.completionQueue = nil
        let order = EventRecorder<String>()
        let task = manager.dataTask(with: try server.request()) { _, _, _ in
            order.record("handler")
        }
        let recorder = NotificationRecorder(of: task) { order.record($0.rawValue) }
        task.resume()
        let posted = try await recorder.first(.networkingTaskDidComplete)
        #expect(
            order.events == [
                "com.alamofire.networking.task.resume", "handler",
                "com.alamofire.networking.task.complete",
            ]
        )
        #expect(posted.isOnMainQueue)
        #expect(posted.object as? Data == Data("hello".utf8))
        #expect(posted.data == Data("hello".utf8))
        #expect(posted.serializer is ScriptedSerializer)
        #expect(posted.metrics?.transactionMetrics.count == 1)
        #expect(
            posted.keys == [
                NetworkingTaskDidCompleteSerializedResponseKey,
                NetworkingTaskDidCompleteResponseSerializerKey,
                NetworkingTaskDidCompleteResponseDataKey,
                NetworkingTaskDidCompleteSessionTaskMetrics,
            ]
        )
    }

    @Test(
        "C-03, C-09, C-10, C-11: A failure posts a completion notification, also without a handler"
    )
    func failurePostsACompletion() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .close,
        ])
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let posted = try await recorder.first(.networkingTaskDidComplete)
        #expect((posted.error as? URLError)?.code == .networkConnectionLost)
        #expect(posted.nsError?.domain == NSURLErrorDomain && posted.nsError?.code == -1005)
        // The partial body.
        #expect(posted.data == Data("hello".utf8))
        #expect(posted.object == nil)
        #expect(posted.serializer is ScriptedSerializer)
        #expect(!posted.keys.contains(NetworkingTaskDidCompleteSerializedResponseKey))
    }

    @Test("C-11: The error of a notification is an NSError, and its cause is a serializer's error")
    func notifiedErrorIsAnNSError() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, _ in (nil, Refusal(status: 418)) }
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let posted = try await recorder.first(.networkingTaskDidComplete)
        let error = try #require(posted.nsError)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? Refusal == Refusal(status: 418))
        #expect(NetworkingError(error).kind == .other)
    }

    @Test("C-11: The error of a value that can't be decoded is sorted in a notification, too")
    func notifiedDecodingErrorIsSorted() async throws {
        let server = try LoopbackServer { _ in .text("no JSON") }
        let manager = URLSessionManager.test()
        manager.responseSerializer = DecodableResponseSerializer<[String]>()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let posted = try await recorder.first(.networkingTaskDidComplete)
        let error = try #require(posted.nsError)
        #expect(NetworkingError(error).kind == .undecodableBody)
    }

    @Test("C-08: If the serializer returns no object, the user info contains none")
    func missingObjectIsNotInTheUserInfo() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, _ in (nil, nil) }
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let posted = try await recorder.first(.networkingTaskDidComplete)
        #expect(!posted.keys.contains(NetworkingTaskDidCompleteSerializedResponseKey))
        #expect(!posted.keys.contains(NetworkingTaskDidCompleteErrorKey))
        // The data is empty but present.
        #expect(posted.data == Data())
    }

    @Test("C-04, Q-12, S-37: Invalidating a session calls the handler, then posts the notification")
    func invalidSessionIsPostedAfterItsHandler() async throws {
        let manager = URLSessionManager.test()
        let order = EventRecorder<String>()
        let errors = EventRecorder<Bool>()
        manager.setSessionDidBecomeInvalid { [queue = manager.operationQueue] _, error in
            order.record("handler")
            errors.record(error == nil && OperationQueue.current === queue)
        }
        let recorder = NotificationRecorder(
            of: manager.session,
            names: [.urlSessionDidInvalidate]
        ) { order.record($0.rawValue) }
        manager.invalidateSessionCancelingTasks(false, resetSession: false)
        let posted = try await recorder.first(.urlSessionDidInvalidate)
        #expect(order.events == ["handler", "com.alamofire.networking.session.invalidate"])
        #expect(errors.events == [true])
        #expect(posted.queue === manager.operationQueue)
        #expect(posted.keys.isEmpty)
    }
}
