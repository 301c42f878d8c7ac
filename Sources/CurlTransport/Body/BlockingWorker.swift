internal import Curl
internal import Synchronization

/// A thread for calls that may wait for a disk, so that neither a loop nor a task of Swift's pool
/// has to. It is started by the first job, runs jobs in order, and ends with ``stop()``.
final class BlockingWorker: Sendable {
    private struct State: ~Copyable {
        var jobs: [@Sendable () -> Void] = []
        var thread: LoopThread?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let bell: Wakeup

    init() throws(SystemFailure) {
        bell = try Wakeup()
    }

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
            if state.isStopped { return true }
            if state.thread == nil {
                state.thread = try? LoopThread(name: "curl-files") { [self] in work() }
                if state.thread == nil { return true }
            }
            state.jobs.append(job)
            return false
        }
        // Without a thread the job is done at once: late, slow, but done.
        if runsHere { job() } else { bell.signal() }
    }

    /// Ends the thread once the jobs before this are done, and waits for it.
    func stop() {
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        guard let thread else { return }
        bell.signal()
        thread.join()
    }

    private func work() {
        while true {
            let (jobs, isStopped) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                return (jobs, state.isStopped)
            }
            for job in jobs { job() }
            if jobs.isEmpty {
                if isStopped { return }
                bell.wait()
            }
        }
    }
}
