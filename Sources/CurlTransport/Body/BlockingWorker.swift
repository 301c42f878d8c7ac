internal import Curl
internal import Synchronization

/// A thread for calls that may wait for a disk, so that neither a loop nor a task of Swift's pool
/// has to. It is started by the first job, runs jobs in order, and ends with ``stop()``.
final class BlockingWorker: Sendable {
    private struct State: ~Copyable {
        var jobs: [@Sendable () -> Void] = []
        var thread: LoopThread?
        /// There as long as the thread is. It is rung under the lock, so that its number isn't
        /// another descriptor's by then.
        var bell: Wakeup?
        var isStopped = false
    }

    private let state = Mutex(State())
    /// Held while the thread is joined, so that whoever stops the worker finds it stopped.
    private let stopping = Mutex(())

    /// Runs `job` on the worker's thread and answers its result.
    func run<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result(catching: job)) }
        }
    }

    /// Runs `job` on the worker's thread, after those before it.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let runsHere = state.withLock { state in
            guard !state.isStopped, start(&state) else { return true }
            state.jobs.append(job)
            state.bell?.signal()
            return false
        }
        // Without a thread the job is done at once: late, slow, but done.
        if runsHere { job() }
    }

    /// Starts the thread where there is none. False if the system has none to give.
    private func start(_ state: inout State) -> Bool {
        guard state.thread == nil else { return true }
        do {
            let bell = try Wakeup()
            let descriptor = bell.descriptor
            state.thread = try LoopThread(name: "curl-files") { [self] in work(descriptor) }
            state.bell = consume bell
            return true
        } catch {
            return false
        }
    }

    /// Ends the thread once the jobs before this are done, and waits for it.
    func stop() {
        stopping.withLock { _ in
            let thread = state.withLock { state in
                state.isStopped = true
                state.bell?.signal()
                return state.thread.take()
            }
            guard let thread else { return }
            thread.join()
            state.withLock { $0.bell = nil }
        }
    }

    private func work(_ bell: Int32) {
        while true {
            let (jobs, isStopped) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                return (jobs, state.isStopped)
            }
            for job in jobs { job() }
            if jobs.isEmpty {
                if isStopped { return }
                Wakeup.wait(on: bell)
            }
        }
    }
}
