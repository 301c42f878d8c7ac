internal import Synchronization

/// Creates and owns a transport's thread for tasks. The first use starts it.
final class TransportTasks: Sendable {
    private struct State {
        var thread: TaskThread?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let loops: [EventLoop]

    init(_ loops: [EventLoop]) {
        self.loops = loops
    }

    /// The thread's executor. Swift's pool if the system can't create a thread, or after ``end()``.
    var executor: any TaskExecutor {
        state.withLock { state in
            if let thread = state.thread { return thread }
            guard !state.hasEnded, let thread = try? TaskThread() else {
                return globalConcurrentExecutor
            }
            for loop in loops { loop.wakeUps.setTaskThread(thread) }
            state.thread = thread
            return thread
        }
    }

    /// Waits until the thread has ended, if there is one, and prevents a later start.
    func end() async {
        let thread = state.withLock { state in
            state.hasEnded = true
            return state.thread
        }
        await thread?.close()
    }
}
