internal import Synchronization

/// An object with tasks or queues that wait for a loop.
package protocol Waker: AnyObject, Sendable {
    /// Resumes the tasks whose wait is over. Called on any thread.
    func wake()
}

// Measured from a job of the pool: five times as many thread switches.
/// Collects the tasks to wake in one turn of a loop, and wakes them in one go.
///
/// Each resumed task is a job for the thread pool. In one go, all jobs are queued before the pool's
/// first thread is awake. One by one, that thread would finish each job before the next one is
/// queued, and sleep again: one thread switch per response. Resuming them from a job of the pool is
/// no better: the thread that its first task wakes takes its place on the processor.
final class WakeUpQueue: Sendable {
    private struct State {
        var wakers: [any Waker] = []
        /// Those that may wait while more bytes arrive.
        var deferred: [any Waker] = []
        /// Whether all of these can wait for a pause.
        var mayPause = true
        /// Rounds since the first of these was added.
        var rounds = 0
        /// Empty between turns; keeps its capacity.
        var due: [any Waker] = []
        /// The thread on which some of the tasks run.
        var tasks: TaskThread?
    }

    /// The maximum number of rounds that a deferred waker waits while others keep the loop busy.
    static let maximumDeferredRounds = 16

    /// The pause in nanoseconds before the readers of a steady flow are woken.
    ///
    /// Nothing must arrive during the pause. Without it, a loop that is faster than the server
    /// would wake the readers for every piece.
    static let pause: Int64 = 1_000_000

    private let state = Mutex(State())

    /// Adds a waker for the end of this turn. Called on the loop's thread.
    func append(_ waker: any Waker) {
        state.withLock { $0.wakers.append(waker) }
    }

    /// Adds a waker that is woken when nothing more is ready.
    ///
    /// It then finds all bytes that have arrived. Called on the loop's thread.
    ///
    /// - Parameter mayPause: whether it can also wait until nothing has been ready for ``pause``.
    func appendDeferred(_ waker: any Waker, mayPause: Bool) {
        state.withLock { state in
            if state.deferred.isEmpty { (state.rounds, state.mayPause) = (0, true) }
            state.deferred.append(waker)
            if !mayPause { state.mayPause = false }
        }
    }

    /// Sets the thread on which woken tasks may run, in addition to the pool.
    func setTaskThread(_ tasks: TaskThread) {
        state.withLock { $0.tasks = tasks }
    }

    /// How long nothing must be ready, in nanoseconds, before deferred wakers are woken; nil if
    /// there are none.
    var deferredPause: Int64? {
        state.withLock { state in
            state.deferred.isEmpty ? nil : state.mayPause ? Self.pause : 0
        }
    }

    /// Wakes the tasks that are due. Called on the loop's thread at the end of a turn.
    ///
    /// - Parameters:
    ///   - isQuiet: whether nothing was ready in this turn.
    ///   - endsRound: whether all sockets that were ready have had their turn.
    func run(isQuiet: Bool, endsRound: Bool) {
        var (due, tasks): ([any Waker], TaskThread?) = state.withLock { state in
            if !state.deferred.isEmpty {
                if endsRound { state.rounds += 1 }
                if isQuiet || state.rounds >= Self.maximumDeferredRounds {
                    state.wakers += state.deferred
                    state.deferred.removeAll(keepingCapacity: true)
                }
            }
            guard !state.wakers.isEmpty else { return ([], nil) }
            swap(&state.wakers, &state.due)
            defer { state.due = [] }
            return (state.due, state.tasks)
        }
        guard !due.isEmpty else { return }
        tasks?.hold()
        for waker in due { waker.wake() }
        tasks?.release()
        due.removeAll(keepingCapacity: due.capacity <= 4096)
        state.withLock { $0.due = due }
    }
}
