internal import Posix
internal import Synchronization

/// A thread whose end tasks can await without blocking Swift's pool.
final class WatchedThread: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    /// Nil once the thread is joined.
    private let thread = Mutex<JoinedThread?>(nil)

    /// Starts the thread. Call it once.
    func start(name: String, body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try thread.withLock { thread throws(SystemFailure) in
            thread = try JoinedThread(name: name) { [self] in
                body()
                end()
            }
        }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for completion in waiting { completion() }
    }

    /// Calls `completion` when the thread has done its work.
    ///
    /// It is called on that thread, or at once if the work is already done.
    private func whenEnded(_ completion: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(completion) }
            return state.hasEnded
        }
        if hasEnded { completion() }
    }

    /// Waits until the thread has ended.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            whenEnded { continuation.resume() }
        }
        // The thread has nothing left to do. Joined under the lock, so that a second caller doesn't
        // return before its end.
        thread.withLock { $0.take()?.join() }
    }
}
