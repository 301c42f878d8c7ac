internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct TaskStateTests {
    /// A resumed task has its delegate in the same step.
    ///
    /// A test can't make another thread act in between.
    @Test func startedTaskHasItsDelegatesAtOnce() throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var state = TaskState(
            session: session,
            request: URLRequest(url: url),
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: nil
        )
        guard case .load = state.resume() else {
            Issue.record("the task doesn't begin")
            return
        }
        _ = state.cancel()
        guard case .scheduleDelivery = state.nextAction() else {
            Issue.record("the end is not delivered")
            return
        }
        session.invalidateAndCancel()
    }

    @Test func taskStartedDuringInvalidationReportsItsEnd() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        for _ in 0..<50 {
            let delegate = SessionDelegate()
            let session = URLSession.test(delegate: delegate)
            let task = session.dataTask(with: url)
            async let begun: Void = resume(task)
            session.invalidateAndCancel()
            await begun
            try await delegate.event(.invalid)
            #expect(delegate.completions == 1)
        }
    }

    private func resume(_ task: URLSessionTask) async {
        task.resume()
    }
}
