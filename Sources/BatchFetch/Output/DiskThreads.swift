import Curl
import Synchronization

/// Threads that do what may wait for a disk, so that no event loop and no task has to.
final class DiskThreads: Sendable {
    /// One more than one disk needs, so that a slow call holds up half.
    private static let count = 2

    private struct State {
        var jobs = RingQueue<@Sendable () -> Void>()
        var idle: [Int] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let threads: [DiskThread]

    /// Starts the threads, which run until ``stop()``.
    init() throws(SystemFailure) {
        var threads: [DiskThread] = []
        for _ in 0..<Self.count { threads.append(try DiskThread()) }
        self.threads = threads
        do throws(SystemFailure) {
            for (index, thread) in threads.enumerated() {
                try thread.start("batch-disk-\(index)") { [self] in run(index) }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Runs `job` soon, on one of the threads.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        if let idle { threads[idle].bell.signal() }
    }

    /// Ends the threads once all jobs are done, and waits for it. Not from a job.
    func stop() {
        state.withLock { $0.isStopped = true }
        for thread in threads { thread.bell.signal() }
        for thread in threads { thread.join() }
    }

    private func run(_ index: Int) {
        while true {
            let (job, isStopped) = state.withLock { state in
                let job = state.jobs.popFirst()
                if job == nil, !state.isStopped { state.idle.append(index) }
                return (job, state.isStopped)
            }
            if let job {
                job()
            } else if isStopped {
                return
            } else {
                threads[index].bell.wait(until: nil)
            }
        }
    }
}
