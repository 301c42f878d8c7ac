internal import CurlURLSession
internal import Foundation

// What concerns bodies that aren't kept.

extension URLSessionManagerTaskDelegate {
    /// What the task's own handler wants of its response.
    func decide(
        on response: URLResponse,
        of task: URLSessionDataTask
    ) -> URLSession.ResponseDisposition {
        guard let onResponse = wishes.onResponse else { return .allow }
        return attempt(task) { try onResponse(response) } ?? .cancel
    }

    /// Does something for a task; what is thrown ends that.
    func attempt<Value>(_ task: URLSessionTask, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            noteRefusal(because: error)
            task.cancel()
            return nil
        }
    }

    /// A Swift task has read a piece of the body.
    func noteReading(of task: URLSessionTask) {
        guard let audience = downloadAudience(of: task) else { return }
        let amount = received(by: task)
        core.operationQueue.addOperation { audience.tell(amount) }
    }

    /// A task that a Swift task reads is over; its body was that one's.
    func task(_ task: URLSessionTask, of session: URLSession, wasLoadedWith error: (any Error)?) {
        let remains = end()
        let end = remains.interception?.finish()
        core.monitors?.tell { $0.urlSession(session, task: task, didCompleteWithError: error) }
        core.handler { $0.taskDidComplete }?(session, task, error)
        let outcome = TaskOutcome(
            response: task.response,
            data: nil,
            file: nil,
            metrics: remains.metrics,
            error: end?.error ?? remains.challengeError ?? error,
            serializer: remains.serializer ?? core.read(\.responseSerializer)
        )
        core.complete(task, outcome, .swiftTask { _ in }, keeping: remains.kept)
    }
}

extension ManagerCore {
    /// Has something done where all handlers are called.
    func onOperationQueue<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            operationQueue.addOperation { continuation.resume(returning: body()) }
        }
    }
}
