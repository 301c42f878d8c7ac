import Synchronization

/// Starts tasks with the task-local values and the priority of a caller.
///
/// Swift copies task-local values from the task that creates a task. So the initialiser creates a
/// task in the caller's context, which creates the others. It ends with the last reference to this
/// object.
package final class CallerTasks: Sendable {
    private let requests: AsyncStream<CallerTask>.Continuation

    /// Must be called in the caller's task, or on its thread.
    package init() {
        let (stream, requests) = AsyncStream.makeStream(of: CallerTask.self)
        self.requests = requests
        Task {
            for await request in stream { request.begin() }
        }
    }

    deinit {
        requests.finish()
    }

    /// Starts a task, on any thread. Cancelling the caller's task doesn't cancel it.
    @discardableResult
    package func start(_ work: @escaping @Sendable () async -> Void) -> CallerTask {
        let task = CallerTask(work)
        requests.yield(task)
        return task
    }
}

/// A task that ``CallerTasks`` has started, or is about to start.
package final class CallerTask: Sendable {
    private enum State {
        case requested(@Sendable () async -> Void)
        case started(Task<Void, Never>)
        case cancelled
    }

    private let state: Mutex<State>

    fileprivate init(_ work: @escaping @Sendable () async -> Void) {
        state = Mutex(.requested(work))
    }

    /// Cancels the task. If it hasn't started yet, it never starts.
    package func cancel() {
        let former = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .started(let task) = former { task.cancel() }
    }

    /// Creates the task, with the task-local values of the current one.
    fileprivate func begin() {
        state.withLock { state in
            guard case .requested(let work) = state else { return }
            state = .started(Task { await work() })
        }
    }
}
