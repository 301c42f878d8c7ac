import Synchronization

/// Wakes the one task that waits for results.
///
/// It holds no results: whoever is woken looks for itself.
final class ResultBell: Sendable {
    private struct State {
        var isRung = false
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// There are results.
    func ring() {
        state.withLock { state in
            state.isRung = state.waiter == nil
            return state.waiter.take()
        }?.resume()
    }

    /// There will be no more.
    func end() {
        state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }?.resume()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns when it was rung since the last time, or when it is over.
    func wait() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.isRung || state.isOver {
                    state.isRung = false
                    return continuation
                }
                // One that waits already is let go: there is one consumer.
                let earlier = state.waiter
                state.waiter = continuation
                return earlier
            }
            released?.resume()
        }
    }
}
