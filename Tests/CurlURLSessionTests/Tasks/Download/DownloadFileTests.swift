internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct DownloadFileTests {
    /// Calls a hook whenever an operation is added.
    private final class HookedQueue: OperationQueue, @unchecked Sendable {
        let hook = Watched<(@Sendable () -> Void)?>(nil)

        override func addOperation(_ operation: Operation) {
            hook.read { $0 }?()
            super.addOperation(operation)
        }
    }

    @Test func growingFileDoesNotBlockOtherTasks() async throws {
        let delegate = SessionDelegate()
        let delegateQueue = HookedQueue()
        let session = URLSession.test(delegate: delegate, queue: delegateQueue)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let writing = OperationQueue()
        writing.maxConcurrentOperationCount = 1
        writing.isSuspended = true
        let file = DownloadFile(queue: writing)
        let task = session.downloadTask(with: url)
        task.core.state.withLock { state in
            state.kind.download?.file = file
            state.delegates = TaskDelegates(own: delegate, session: nil)
        }
        // More data arrives after each write, just before its progress is reported.
        let (first, more): ([UInt8], [UInt8]) = ([0], [1, 2, 3])
        delegateQueue.hook.update { $0 = { _ = file.append(more.span) } }
        _ = file.append(first.span)
        #expect(file.takeWork())
        file.write(for: task.core)
        let written = Watched<Int64?>(nil)
        writing.addOperation { written.update { $0 = file.written } }
        writing.isSuspended = false
        #expect(try await written.wait { $0 } == 1)
        // The file schedules its next write by itself.
        try await delegate.event { event in
            if case .wrote(let total, of: _) = event { total >= 4 } else { false }
        }
        session.invalidateAndCancel()
        try await delegate.event(.invalid)
        await awaitHandler { done in writing.addOperation { done(()) } }
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }

    @Test("Given a complete file, when its download is cancelled to resume it, then bytes stay")
    func completeFileKeepsItsBytes() throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession.test()
        let core = session.downloadTask(with: try #require(URL(string: "http://localhost/"))).core
        let file = DownloadFile(queue: queue)
        let bytes = Array("hello".utf8)
        _ = file.append(bytes.span)
        file.complete(for: core)
        file.keep(for: core)
        queue.waitUntilAllOperationsAreFinished()
        defer { try? FileManager.default.removeItem(at: file.url) }
        #expect(try Data(contentsOf: file.url) == Data(bytes))
        session.invalidateAndCancel()
    }
}
