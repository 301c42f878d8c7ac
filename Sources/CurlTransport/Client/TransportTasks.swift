internal import Synchronization

/// Where a transport has its thread for tasks: started for the first one who asks.
final class TransportTasks: Sendable {
    private struct State {
        var thread: TaskThread?
        var isOver = false
    }

    private let state = Mutex(State())
    private let loops: [EventLoop]

    init(_ loops: [EventLoop]) {
        self.loops = loops
    }

    /// The thread; Swift's pool where the system gives none, or the transport has ended.
    var executor: any TaskExecutor {
        state.withLock { state in
            if let thread = state.thread { return thread }
            guard !state.isOver, let thread = try? TaskThread() else {
                return globalConcurrentExecutor
            }
            for loop in loops { loop.wakeUps.accompany(thread) }
            state.thread = thread
            return thread
        }
    }

    /// Waits until the thread is gone, if there is one. There will be none any more.
    func end() async {
        let thread = state.withLock { state in
            state.isOver = true
            return state.thread
        }
        await thread?.close()
    }
}
