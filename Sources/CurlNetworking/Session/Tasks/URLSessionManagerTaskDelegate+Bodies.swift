internal import CurlURLSession
internal import Foundation

// Handling of bodies that aren't stored.

extension URLSessionManagerTaskDelegate {
    /// Calls the task's own response handler.
    func decide(
        on response: URLResponse,
        of task: URLSessionDataTask
    ) -> URLSession.ResponseDisposition {
        guard let onResponse = taskOptions.onResponse else { return .allow }
        return attempt(task) { try onResponse(response) } ?? .cancel
    }

    /// Runs a closure for a task.
    ///
    /// If it throws, the task is cancelled with that error.
    func attempt<Value>(_ task: URLSessionTask, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            noteRefusal(because: error)
            task.cancel()
            return nil
        }
    }

    /// Reports progress when a Swift task has read a piece.
    func noteReading(of task: URLSessionTask) {
        guard let audience = downloadAudience(of: task) else { return }
        let amount = received(by: task)
        core.operationQueue.addOperation { audience.report(amount) }
    }

    /// Completes a task that a Swift task reads.
    ///
    /// The outcome has no body.
    func task(_ task: URLSessionTask, of session: URLSession, wasLoadedWith error: (any Error)?) {
        let remains = end()
        let end = remains.interception?.finish()
        core.report(.didCompleteTransfer(session, task, error: error))
        let parts = TaskOutcome.Parts(
            response: task.response,
            data: nil,
            file: nil,
            metrics: remains.metrics,
            error: end?.error ?? remains.challengeError ?? error,
            serializer: remains.serializer ?? core.read(\.responseSerializer)
        )
        core.complete(task, TaskOutcome(parts), .swiftTask { _ in }, keeping: remains.kept)
    }
}

extension ManagerCore {
    /// Runs a closure on the operation queue, like all handlers.
    func onOperationQueue<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            operationQueue.addOperation { continuation.resume(returning: body()) }
        }
    }
}
