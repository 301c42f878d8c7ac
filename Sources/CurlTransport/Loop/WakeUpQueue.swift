internal import Synchronization

/// Holds tasks that wait for something of a loop.
protocol Waker: AnyObject, Sendable {
    /// Resumes those whose wait is over, on any thread.
    func wake()
}

/// What one turn of a loop has to wake, put together so that it can be woken in one go.
///
/// Each resumed task is a job for the thread pool. In one go they are there before the first thread of
/// the pool is awake; one by one, it would be done with each before the next comes, and sleep again:
/// a change of threads for each response. A job of the pool that resumes them fares no better: the
/// thread that its first one wakes takes its place on the processor (measured: five times as many
/// changes of threads as this).
final class WakeUpQueue: Sendable {
    private struct State {
        var wakers: [any Waker] = []
        /// Empty between turns; keeps its memory.
        var due: [any Waker] = []
    }

    private let state = Mutex(State())

    /// On the loop's thread.
    func append(_ waker: any Waker) {
        state.withLock { $0.wakers.append(waker) }
    }

    /// On the loop's thread, at the end of a turn.
    func run() {
        var due: [any Waker] = state.withLock { state in
            guard !state.wakers.isEmpty else { return [] }
            swap(&state.wakers, &state.due)
            defer { state.due = [] }
            return state.due
        }
        guard !due.isEmpty else { return }
        for waker in due { waker.wake() }
        due.removeAll(keepingCapacity: due.capacity <= 4096)
        state.withLock { $0.due = due }
    }
}
