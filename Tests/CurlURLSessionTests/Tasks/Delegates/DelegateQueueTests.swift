internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests a delegate queue that the user manipulates.
@Suite(.timeLimit(.minutes(10))) struct DelegateQueueTests {
    @Test func cancelledQueueOperationsDoNotSilenceTheSession() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let session = URLSession.test(queue: queue)
        let isCalled = Gate()
        session.getAllTasks { _ in isCalled.open() }
        #expect(queue.operationCount == 1)
        queue.cancelAllOperations()
        queue.isSuspended = false
        try await isCalled.wait()
        let url = try server.at("/")
        let data: Data? = await awaitHandler { done in
            session.dataTask(with: url) { data, _, _ in done(data) }.resume()
        }
        #expect(data == Data("hello".utf8))
        session.invalidateAndCancel()
    }
}
