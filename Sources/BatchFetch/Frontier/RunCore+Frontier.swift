import Curl
import Synchronization

/// What a run has to do with what waits on the disk: for its feeder's and its reader's threads.
extension RunCore {
    /// From now on hosts that have room are noted. Returns what they have too much of.
    func beginFrontier(folder: String) -> [FetchJob] {
        let excess = state.withLock { $0.beginFrontier(folder: folder) }
        tellLog()
        return excess
    }

    /// So many jobs wait on the disk from now on.
    func park(_ count: Int) { state.withLock { $0.park(count) } }

    /// Takes jobs that waited on the disk.
    func unpark(_ jobs: [FetchJob]) {
        guard !jobs.isEmpty else { return }
        let now = MonotonicTime.now
        let hasResults = state.withLock { state in
            state.unpark(jobs, at: now)
            return state.hasResults
        }
        if hasResults { bell.ring() }
        tellLog()
        pump()
    }

    /// What is wanted now; nil if the run is ending.
    func frontierCall() -> FrontierCall? {
        state.withLock { $0.isStopping ? nil : $0.takeFrontierCall() }
    }

    /// How many jobs of each of these hosts may be handed on.
    func room(for hosts: [String]) -> [String: Int] { state.withLock { $0.room(for: hosts) } }

    /// Blocks until something is wanted again, or until somebody signals ``feeder``.
    func waitForFrontierCall(orRoom: Bool) {
        if state.withLock({ $0.waitForFrontierCall(orRoom: orRoom) }) { feeder.wait(until: nil) }
    }
}
