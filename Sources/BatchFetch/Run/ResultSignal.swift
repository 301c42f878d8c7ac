import Synchronization

/// Wakes the task that waits for results.
///
/// It holds no results: the woken task fetches them itself.
final class ResultSignal: Sendable {
    private struct State {
        var isSignalled = false
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Signals that results are available.
    func signal() {
        state.withLock { state in
            state.isSignalled = state.waiter == nil
            return state.waiter.take()
        }?.resume()
    }

    /// Signals that no more results will come.
    func end() {
        state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }?.resume()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns when it was signalled since the last call, or has ended.
    func wait() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.isSignalled || state.isOver {
                    state.isSignalled = false
                    return continuation
                }
                // There is one consumer: a task that waits already is resumed.
                let earlier = state.waiter
                state.waiter = continuation
                return earlier
            }
            released?.resume()
        }
    }
}
