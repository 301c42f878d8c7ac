internal import Curl
internal import Synchronization

/// A thread of a transport, for whose end tasks wait without holding up one of Swift's.
final class WatchedThread: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    /// Nil once the thread is joined.
    private let thread = Mutex<LoopThread?>(nil)

    /// Starts it, once.
    func start(name: String, body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try thread.withLock { thread throws(SystemFailure) in
            thread = try LoopThread(name: name) { [self] in
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
        for tell in waiting { tell() }
    }

    /// Calls `tell` when the thread has done its last work, on it, or at once if it has.
    private func whenEnded(_ tell: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(tell) }
            return state.hasEnded
        }
        if hasEnded { tell() }
    }

    /// Waits until the thread is gone.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            whenEnded { continuation.resume() }
        }
        // It has nothing left to do. Under the lock, so that a second caller doesn't return before it is gone.
        thread.withLock { $0.take()?.join() }
    }
}
