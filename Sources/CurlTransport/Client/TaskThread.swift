internal import Curl
internal import Synchronization

/// The thread on which tasks run that prefer ``HTTPClient/taskExecutor``.
///
/// The loops hold its bell while they wake tasks: rung for the first one, the thread would take the
/// processor from the loop, or the lock, and sleep again before the next one is there.
final class TaskThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAsleep = false
        /// How many loops are about to add more.
        var holds = 0
        /// Nil once it takes no more.
        var bell: Bell?
    }

    private let state: Mutex<State>
    private let thread = WatchedThread()

    /// Starts the thread.
    init() throws(SystemFailure) {
        let bell = try Bell()
        state = Mutex(State(bell: bell))
        try thread.start(name: "curl-tasks") { [self] in work(bell) }
    }

    // MARK: Any thread

    /// Takes a job; once it is closed, Swift's pool does.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isOpen, bell) = state.withLock { state in
            guard state.bell != nil else { return (false, Bell?.none) }
            state.jobs.append(job)
            return (true, Self.bellToRing(&state))
        }
        bell?.wakeup.signal()
        if !isOpen { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Lets the thread sleep until ``release()``, if it does.
    func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Ends what ``hold()`` began.
    func release() {
        let bell = state.withLock { state in
            state.holds -= 1
            return state.jobs.isEmpty ? nil : Self.bellToRing(&state)
        }
        bell?.wakeup.signal()
    }

    private static func bellToRing(_ state: inout State) -> Bell? {
        guard state.isAsleep, state.holds == 0 else { return nil }
        state.isAsleep = false
        return state.bell
    }

    /// Takes no more jobs, and waits until the thread is gone. A task that runs on it may do so: it goes on in
    /// Swift's pool.
    func close() async {
        let bell = state.withLock { $0.bell.take() }
        bell?.wakeup.signal()
        await thread.waitForEnd()
    }

    // MARK: The thread

    private func work(_ bell: Bell) {
        var jobs: [UnownedJob] = []
        while true {
            let isOpen = state.withLock { state in
                swap(&state.jobs, &jobs)
                state.isAsleep = jobs.isEmpty
                return state.bell != nil
            }
            for job in jobs { run(job) }
            guard jobs.isEmpty else {
                jobs.removeAll(keepingCapacity: jobs.count <= 4096)
                continue
            }
            guard isOpen else { return }
            Wakeup.wait(on: bell.wakeup.descriptor)
        }
    }
}
