internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// A task that a Swift task waits for, and is cancelled with.
final class AwaitedTask: Sendable {
    private struct State: Sendable {
        var task: URLSessionTask?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Resumes a task, which is over at once where the wait for it already is.
    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
