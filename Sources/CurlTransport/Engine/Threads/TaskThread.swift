internal import Posix
internal import Synchronization

/// The thread of the task executor ``HTTPClient/taskExecutor``.
///
/// The loops keep the thread asleep while they wake tasks, see ``hold()``. If the first task woke
/// it, the thread would take the processor or the lock from the loop, and would sleep again before
/// the next task is ready.
final class TaskThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAsleep = false
        /// How many loops are about to add jobs.
        var holds = 0
        /// Nil after ``close()``.
        var wakeup: SharedWakeup?
    }

    private let state: Mutex<State>
    private let thread = WatchedThread()

    /// Starts the thread.
    init() throws(SystemFailure) {
        let wakeup = try SharedWakeup()
        state = Mutex(State(wakeup: wakeup))
        try thread.start(name: "curl-tasks") { [self] in work(wakeup) }
    }

    // MARK: Any thread

    /// Adds a job. After ``close()``, Swift's pool runs it instead.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isOpen, wakeup) = state.withLock { state in
            guard state.wakeup != nil else { return (false, SharedWakeup?.none) }
            state.jobs.append(job)
            return (true, Self.wakeupToSignal(&state))
        }
        wakeup?.wakeup.signal()
        if !isOpen { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Keeps a sleeping thread asleep until ``release()``.
    func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Ends one ``hold()``, and wakes the thread if there are jobs.
    func release() {
        let wakeup = state.withLock { state in
            assert(state.holds > 0, "a hold ended that hadn't begun")
            state.holds -= 1
            return state.jobs.isEmpty ? nil : Self.wakeupToSignal(&state)
        }
        wakeup?.wakeup.signal()
    }

    private static func wakeupToSignal(_ state: inout State) -> SharedWakeup? {
        guard state.isAsleep, state.holds == 0 else { return nil }
        state.isAsleep = false
        return state.wakeup
    }

    /// Closes the executor and waits until the thread has ended. A task that runs on the thread may
    /// call this: it continues in Swift's pool.
    func close() async {
        let wakeup = state.withLock { $0.wakeup.take() }
        wakeup?.wakeup.signal()
        await thread.waitForEnd()
    }

    // MARK: Executor thread

    private func work(_ wakeup: SharedWakeup) {
        var jobs: [UnownedJob] = []
        while true {
            let isOpen = state.withLock { state in
                swap(&state.jobs, &jobs)
                state.isAsleep = jobs.isEmpty
                return state.wakeup != nil
            }
            for job in jobs { run(job) }
            guard jobs.isEmpty else {
                jobs.removeAll(keepingCapacity: jobs.count <= 4096)
                continue
            }
            guard isOpen else { return }
            Wakeup.wait(on: wakeup.wakeup.descriptor)
        }
    }
}
