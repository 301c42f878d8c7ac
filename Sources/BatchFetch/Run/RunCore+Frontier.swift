import Posix
import Synchronization

/// The run's side of its frontier. Called on the feeder's and the reader's threads.
extension RunCore {
    /// Starts recording which hosts have room. Returns the jobs that exceed their host's share.
    func beginFrontier(folder: String) -> [FetchJob] {
        let excess = state.withLock { $0.beginFrontier(folder: folder) }
        notifyLog()
        return excess
    }

    /// Ends what ``beginFrontier(folder:)`` has started. The feeder has ended.
    func endFrontier() { state.withLock { $0.endFrontier() } }

    /// Reports that the run continues without a queue on disk, to the log and the program.
    func warn(ofUnwritableFrontier failure: BatchFailure) {
        state.withLock { $0.noteUnwritableFrontier(failure) }
        notifyLog()
        configuration.onWarning?(failure.message)
    }

    /// Counts jobs that now wait on disk.
    func spill(_ count: Int) { state.withLock { $0.spill(count) } }

    /// Takes jobs that have waited on disk.
    func addSpilled(_ jobs: [FetchJob]) {
        guard !jobs.isEmpty else { return }
        let now = MonotonicTime.now
        let hasResults = state.withLock { state in
            state.addSpilled(jobs, at: now)
            return state.hasResults
        }
        if hasResults { resultSignal.signal() }
        notifyLog()
        pump()
    }

    /// Returns the next request of the run for jobs from disk; `nil` if the run is ending.
    func frontierCall() -> FrontierCall? {
        state.withLock { $0.isStopping ? nil : $0.takeFrontierCall() }
    }

    /// Returns how many jobs of each host may be passed on.
    func room(for hosts: [String]) -> [String: Int] { state.withLock { $0.room(for: hosts) } }

    /// Blocks until the run needs jobs again, or ``feeder`` is woken.
    func waitForFrontierCall(orRoom: Bool) {
        guard state.withLock({ $0.waitForFrontierCall(orRoom: orRoom) }) else { return }
        // Always true: the thread ends by itself, so `end()` isn't called.
        _ = feeder.wait(until: nil)
    }
}
