internal import DequeModule
import Posix
import Synchronization

/// Threads for disk operations that would block event loops and tasks.
final class DiskThreads: Sendable {
    /// One more than one disk needs. So a slow call blocks only half of the threads.
    private static let count = 2

    private struct State {
        var jobs = Deque<@Sendable () -> Void>()
        /// The indices of the threads that wait, or are about to.
        var idle: [Int] = []
    }

    private let state = Mutex(State())
    private let workers: [Worker]

    /// Starts the threads; they run until ``stop()``.
    init() throws(SystemFailure) {
        var workers: [Worker] = []
        for index in 0..<Self.count { workers.append(try Worker(name: "batch-disk-\(index)")) }
        self.workers = workers
        do throws(SystemFailure) {
            for (index, worker) in workers.enumerated() {
                try worker.startRepeating { [self] in
                    runJobs(on: index)
                    return nil
                }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Runs `job` on one of the threads.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        if let idle { workers[idle].wake() }
    }

    /// Finishes all jobs and ends the threads. Blocks; must not be called by a job.
    func stop() {
        for worker in workers { worker.end() }
    }

    /// Runs jobs until there are none.
    private func runJobs(on index: Int) {
        while let job = nextJob(for: index) { job() }
    }

    private func nextJob(for index: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            // In the same step, so that a later submit wakes this thread.
            if job == nil { state.idle.append(index) }
            return job
        }
    }
}
