internal import Foundation
internal import Posix
internal import Synchronization

// The asynchronous methods of tasks.

extension TaskCore {
    /// Runs the task and returns the complete body.
    func data() async throws -> (Data, URLResponse) {
        _ = await wait(for: .end, begins: true)
        let (response, error, data, remains) = state.withLock { state in
            (state.exchange.response(), state.error, state.exchange.buffer.take(), state.close())
        }
        release(remains)
        if let error { throw error }
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    /// Runs the task and returns the file with the body. The caller must remove the file.
    func file() async throws -> (URL, URLResponse) {
        _ = await wait(for: .end, begins: true)
        let (response, error, file, remains) = state.withLock { state in
            let file = state.kind.download?.location
            return (state.exchange.response(), state.error, file, state.close())
        }
        release(remains)
        if let error { throw error }
        guard let response, let file else { throw URLError(.badServerResponse) }
        return (file, response)
    }

    /// Starts the task and returns the response's head.
    func head() async throws -> URLResponse {
        _ = await wait(for: .head, begins: true)
        let (response, error) = state.withLock { state in
            // If the response has arrived, a failure is reported after the body's bytes.
            (state.life.isCancelled ? nil : state.exchange.response(), state.error)
        }
        if let response { return response }
        throw error ?? URLError(.badServerResponse)
    }

    /// Returns the bytes received since the last call. `nil` at the end. Waits if there are no
    /// bytes.
    func nextChunk() async throws -> Data? {
        while true {
            if Task.isCancelled { cancel() }
            let (chunk, isOver, error) = state.withLock { state in
                let isOver = state.isDue(.end)
                guard state.error == nil || !state.life.isCancelled else {
                    return (Data(), isOver, state.error)
                }
                let chunk = state.exchange.buffer.take()
                state.reopenWindow()
                return (chunk, isOver, state.error)
            }
            if !chunk.isEmpty { return chunk }
            if isOver {
                if let error { throw error }
                return nil
            }
            guard await wait(for: .bytes, begins: false) else {
                throw URLError(
                    .unknown,
                    url: nil,
                    reason: "two Swift tasks read the same bytes; let only one read them."
                )
            }
        }
    }

    /// Waits for an event. Cancels the task if the Swift task is cancelled. Returns false if
    /// another Swift task already waits.
    private func wait(for event: TaskWaiter.Event, begins: Bool) async -> Bool {
        await withTaskCancellationHandler {
            await WaitingTask<Bool>.wait { task in
                var waiter = Optional(TaskWaiter(task, for: event))
                let isTheOnly = state.withLock { $0.keep(&waiter) }
                if let isTheOnly, let waiter = waiter.take() { waiter.resume(isTheOnly: isTheOnly) }
                if begins { resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}
