internal import CurlURLSession
internal import Foundation
internal import Posix
internal import Synchronization

/// The state of a task's attempts with an interceptor.
final class TaskInterception: Sendable {
    private struct State: Sendable {
        var retryCount = 0
        /// Runs the interceptor's calls; `nil` after the task has completed.
        var tasks: CallerTasks?
        /// The running call of the interceptor.
        var work: CallerTask?
        var isOver = false
        var end = End()
    }

    /// The result of the last attempt.
    struct End: Sendable {
        /// The serialized response; `nil` if nothing was serialized.
        var serialized: TaskOutcome?
        /// The error that replaces the attempt's own; `nil` to keep that.
        var error: (any Error)?
    }

    let interceptor: any RequestInterceptor
    private let state: Mutex<State>

    /// Creates the state of a new task.
    ///
    /// Call it where the program creates the task: the interceptor inherits that code's task-local
    /// values.
    init(_ interceptor: any RequestInterceptor) {
        self.interceptor = interceptor
        state = Mutex(State(tasks: CallerTasks()))
    }

    /// The number of attempts before the current one.
    var retryCount: Int { state.withLock { $0.retryCount } }

    /// Runs a call of the interceptor in a Swift task.
    ///
    /// The Swift task is cancelled when the session task completes.
    func ask(_ question: @escaping @Sendable () async -> Void) {
        guard let work = state.withLock({ $0.tasks })?.start(question) else { return }
        let isOver = state.withLock { state in
            if !state.isOver { state.work = work }
            return state.isOver
        }
        if isOver { work.cancel() }
    }

    func noteSerialized(_ outcome: TaskOutcome) {
        state.withLock { if !$0.isOver { $0.end.serialized = outcome } }
    }

    func noteReplacement(of failure: any Error) {
        state.withLock { $0.end.error = failure }
    }

    /// Records another attempt; `false` if the task has already completed.
    func noteRetry() -> Bool {
        let former: End? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.retryCount += 1
            defer { state.end = End() }
            return state.end
        }
        defer { extendLifetime(former) }
        return former != nil
    }

    /// Ends the interception when the task completes, and returns the last result.
    func finish() -> End {
        let (tasks, work, end) = state.withLock { state in
            defer { (state.isOver, state.tasks, state.work, state.end) = (true, nil, nil, End()) }
            return (state.tasks, state.work, state.end)
        }
        work?.cancel()
        extendLifetime(tasks)
        return end
    }
}
