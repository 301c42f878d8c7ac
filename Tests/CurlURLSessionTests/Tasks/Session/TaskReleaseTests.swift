internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests that tasks are released when they are no longer needed.
@Suite(.timeLimit(.minutes(10))) struct TaskReleaseTests {
    @Test func taskCancelledWhileBecomingADownloadIsReleased() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        weak var former: URLSessionTask?
        do {
            let made = Watched<URLSessionTask?>(nil)
            let delegate = SessionDelegate { answers in
                answers.response = { _, completion in
                    completion(.becomeDownload)
                    let task = made.update { $0.take() }
                    task?.cancel()
                }
            }
            let session = URLSession.test(delegate: delegate)
            let task = session.dataTask(with: try server.at("/"))
            former = task
            made.update { $0 = task }
            task.resume()
            #expect(try await delegate.failure().code == .cancelled)
            #expect(!delegate.events.contains(.becameDownload))
            session.finishTasksAndInvalidate()
            try await delegate.event(.invalid)
        }
        // The last delegate call may not have returned.
        try await Inspection.wait { [weak former] in former == nil }
    }

    @Test func taskOfInvalidatedSessionIsReleased() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let session = URLSession.test()
        session.invalidateAndCancel()
        weak var task: URLSessionTask?
        do {
            let made = session.dataTask(with: url)
            task = made
            #expect(made.state == .suspended)
        }
        #expect(task == nil)
    }

    @Test(arguments: [true, false])
    func taskOfInvalidatedSessionCallsItsOwnDelegate(_ begins: Bool) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let session = URLSession.test()
        session.invalidateAndCancel()
        let delegate = SessionDelegate()
        do {
            let task = session.dataTask(with: url)
            task.delegate = delegate
            if begins { task.resume() } else { task.cancel() }
        }
        #expect(try await delegate.failure().code == .cancelled)
        let own = SessionDelegate()
        let error = try await urlError { _ = try await session.data(from: url, delegate: own) }
        #expect(error.code == .cancelled)
        let file: URL? = await awaitHandler { done in
            session.downloadTask(with: url) { file, _, _ in done(file) }.resume()
        }
        #expect(file == nil)
    }
}
