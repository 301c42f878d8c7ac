internal import Posix
internal import Synchronization

/// A thread for calls that may wait for a disk.
///
/// It keeps them off the event loops and off Swift's thread pool. The first job starts the thread.
/// It runs jobs in order and ends with ``stop()``.
final class BlockingWorker: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var worker: Worker?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Runs `job` on the worker's thread and returns its result.
    func run<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result(catching: job)) }
        }
    }

    /// Runs `job` on the worker's thread, after those before it.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let runsInline = state.withLock { state in
            guard !state.isStopped, start(&state) else { return true }
            state.jobs.append(job)
            state.worker?.wake()
            return false
        }
        // Without a thread the job runs on the caller's thread, which it may block.
        if runsInline { job() }
    }

    /// Starts the thread if there is none. Returns false if the system can't create one.
    private func start(_ state: inout State) -> Bool {
        guard state.worker == nil else { return true }
        guard let worker = try? Worker(name: "curl-files") else { return false }
        do {
            try worker.startRepeating { [self] in
                runJobs()
                return nil
            }
        } catch {
            return false
        }
        state.worker = worker
        return true
    }

    /// Ends the thread after all earlier jobs, and waits for its end.
    func stop() {
        let worker = state.withLock { state in
            state.isStopped = true
            return state.worker
        }
        guard let worker else { return }
        worker.end()
        // Closes the worker's descriptor.
        state.withLock { $0.worker = nil }
    }

    /// Runs jobs until there are none.
    private func runJobs() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }
}
