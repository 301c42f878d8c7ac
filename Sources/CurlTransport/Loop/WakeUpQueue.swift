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
        /// Those that may wait for as long as there is more for them.
        var patient: [any Waker] = []
        /// Whether none of these has to be woken before a pause.
        var mayPause = true
        /// Turns since the first of these came.
        var turns = 0
        /// Empty between turns; keeps its memory.
        var due: [any Waker] = []
        /// Where some of the tasks go on.
        var tasks: TaskThread?
    }

    /// So many turns a waker waits at most while others keep the loop busy.
    static let patience = 16

    /// How long nothing comes, in nanoseconds, before the readers of a steady flow are woken. Otherwise
    /// a loop that is faster than the server would wake them for every piece.
    static let pause: Int64 = 1_000_000

    private let state = Mutex(State())

    /// On the loop's thread.
    func append(_ waker: any Waker) {
        state.withLock { $0.wakers.append(waker) }
    }

    /// Adds one that is woken when nothing more is ready, so that it finds all that has come by then.
    /// On the loop's thread.
    ///
    /// - Parameter mayPause: Nothing more has to be ready for as long as a pause.
    func appendPatient(_ waker: any Waker, mayPause: Bool) {
        state.withLock { state in
            if state.patient.isEmpty { (state.turns, state.mayPause) = (0, true) }
            state.patient.append(waker)
            if !mayPause { state.mayPause = false }
        }
    }

    /// Tells where tasks may go on that are woken, besides the pool.
    func accompany(_ tasks: TaskThread) {
        state.withLock { $0.tasks = tasks }
    }

    /// For how long nothing more has to be ready, in nanoseconds, before somebody is to be woken; nil
    /// where nobody is.
    var patientPause: Int64? {
        state.withLock { state in
            state.patient.isEmpty ? nil : state.mayPause ? Self.pause : 0
        }
    }

    /// On the loop's thread, at the end of a turn.
    ///
    /// - Parameter isQuiet: Nothing was ready in this turn.
    func run(isQuiet: Bool) {
        var (due, tasks): ([any Waker], TaskThread?) = state.withLock { state in
            if !state.patient.isEmpty {
                state.turns += 1
                if isQuiet || state.turns >= Self.patience {
                    state.wakers += state.patient
                    state.patient.removeAll(keepingCapacity: true)
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
