internal import Curl
internal import Foundation
internal import Synchronization

// What Swift tasks wait for.

extension TaskCore {
    /// Runs the task and answers the whole content.
    func data() async throws -> (Data, URLResponse) {
        _ = await wait(for: .end, begins: true)
        let (response, error, data, remains) = state.withLock { state in
            (state.response(), state.error, state.takeReceived(), state.close())
        }
        letGo(of: remains)
        if let error { throw error }
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    /// Runs the task and answers the file that the content went to, which nobody removes.
    func file() async throws -> (URL, URLResponse) {
        _ = await wait(for: .end, begins: true)
        let (response, error, file, remains) = state.withLock { state in
            let file = state.finishedFile ?? state.file?.url
            return (state.response(), state.error, file, state.close())
        }
        letGo(of: remains)
        if let error { throw error }
        guard let response, let file else { throw URLError(.badServerResponse) }
        return (file, response)
    }

    /// Begins the task and answers the response's head.
    func head() async throws -> URLResponse {
        _ = await wait(for: .head, begins: true)
        let (response, error) = state.withLock { state in
            // A failure that came with the response is told behind the bytes.
            (state.life.isCancelled ? nil : state.response(), state.error)
        }
        if let response { return response }
        throw error ?? URLError(.badServerResponse)
    }

    /// What has come of the content since this was asked last, and waits for more if nothing has; `nil`
    /// at the end.
    func nextChunk() async throws -> Data? {
        while true {
            if Task.isCancelled { cancel() }
            let (chunk, isOver, error) = state.withLock { state in
                let isOver = state.isDue(.end)
                guard state.error == nil || !state.life.isCancelled else {
                    return (Data(), isOver, state.error)
                }
                let chunk = state.takeReceived()
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
                    reason: "two Swift tasks read the same bytes; only one may."
                )
            }
        }
    }

    /// Waits, and cancels the task if the Swift task is cancelled. False if another one waits already.
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
