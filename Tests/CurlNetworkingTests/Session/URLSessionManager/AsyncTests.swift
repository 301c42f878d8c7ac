internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The methods for Swift concurrency.
@Suite(.timeLimit(.minutes(10))) struct AsyncTests {
    @Test("A-26: An async request returns its object without the completion queue")
    func anObjectIsReturned() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let queue = DispatchQueue(label: "never")
        queue.suspend()
        defer { queue.resume() }
        manager.completionQueue = queue
        let (object, response) = try await manager.object(for: server.request())
        #expect(object as? Data == Data("hello".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test("A-26: Errors of the transport and of the serializer are thrown")
    func errorsAreThrown() async throws {
        let server = try LoopbackServer { _ in .text("hello", status: 500) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, data in
            (data, URLError(.badServerResponse))
        }
        await #expect(throws: URLError.self) {
            _ = try await manager.object(for: server.request())
        }
        let port = try LoopbackServer.unusedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        await #expect(throws: URLError.self) {
            _ = try await manager.object(for: URLRequest(url: url))
        }
    }

    @Test("A-26: Cancelling the Swift task cancels the request")
    func cancellingCancels() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let task = Task { try await manager.object(for: request) }
        try await server.requests(count: 1)
        task.cancel()
        let error = await task.result.failure as? URLError
        #expect(error?.code == .cancelled)
    }

    @Test("A-26: A Swift task that is already cancelled sends no request")
    func cancelledSwiftTaskSendsNoRequest() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let request = try server.request()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.object(for: request)
        }
        #expect((await early.result.failure as? URLError)?.code == .cancelled)
        #expect(manager.tasks.isEmpty)
        _ = try await manager.object(for: request)
        #expect(server.requestCount == 1)
    }

    @Test("A-26: Bodies of all kinds are sent")
    func bodiesAreSent() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: try folder.write("a file", to: "file"))
        let server = try LoopbackServer { .bytes($0.body) }
        let manager = URLSessionManager.test()
        var request = try server.request(method: "POST")
        let first = try await manager.upload(for: request, from: Data("bytes".utf8))
        #expect(first.object as? Data == Data("bytes".utf8))
        let second = try await manager.upload(for: request, fromFile: file)
        #expect(second.object as? Data == Data("a file".utf8))
        request.httpBodyStream = InputStream(data: Data("a stream".utf8))
        let third = try await manager.upload(withStreamedRequest: request)
        #expect(third.object as? Data == Data("a stream".utf8))
    }

    @Test("A-26: A download returns its file, or throws the error of its move")
    func aDownloadReturnsItsFile() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let file = URL(fileURLWithPath: folder.path("file"))
        let moved = try await manager.download(for: server.request()) { _, _ in file }
        #expect(moved.file == file)
        #expect(try folder.read("file") == Array("hello".utf8))
        await #expect(throws: (any Error).self) {
            _ = try await manager.download(for: server.request()) { _, _ in file }
        }
        await #expect(throws: (any Error).self) {
            _ = try await manager.download(resumeFrom: Data()) { _, _ in file }
        }
    }

    @Test("S-20, A-26: A Swift task retains its manager")
    func aSwiftTaskKeepsItsManager() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let request = try server.request()
        let (object, _) = try await URLSessionManager.test().object(for: request)
        #expect(object as? Data == Data("hello".utf8))
        try await server.openConnections(0)
    }

    @Test("C-03: An async request posts the completion notification")
    func completionIsPostedAtTheEnd() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let recorders = Watched<[NotificationRecorder]>([])
        manager.setTaskDidFinishCollectingMetrics { _, task, _ in
            recorders.update { $0.append(NotificationRecorder(of: task)) }
        }
        _ = try await manager.object(for: server.request())
        let recorder = try #require(recorders.read { $0.first })
        #expect(try await recorder.first(.networkingTaskDidComplete).data == Data("hello".utf8))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
