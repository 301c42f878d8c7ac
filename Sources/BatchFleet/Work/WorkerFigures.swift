internal import Synchronization

/// What a worker holds and has done, for its metrics.
package struct WorkerFigures: Sendable, Hashable {
    /// The number of hosts that it holds.
    package var leasedHosts = 0
    /// The number of URLs that it has got from the queue and that have no result.
    package var urlsInHand = 0
    /// The number of its results and redirects that the database doesn't have yet, in memory and on
    /// disk.
    package var unstored: Int { unstoredInMemory + unstoredOnDisk }
    package var unstoredInMemory = 0
    package var unstoredOnDisk = 0
    /// How often it has renewed its leases.
    package var renewals = 0
    /// How often it has lost leases, aborted its requests and started again.
    package var leaseLosses = 0

    package init() {}
}

/// The figures of a worker that runs.
final class WorkerMeter: Sendable {
    private let state = Mutex(WorkerFigures())

    var figures: WorkerFigures { state.withLock { $0 } }

    func update(_ held: HeldHosts, _ report: FleetReport) {
        state.withLock { figures in
            figures.leasedHosts = held.count
            figures.urlsInHand = held.inHand
            figures.unstoredInMemory = report.completions.count + report.moves.count
        }
    }

    /// Notes results that have moved from memory to the disk.
    func kept(_ count: Int) { state.withLock { $0.unstoredOnDisk += count } }

    /// Notes that all results on disk have been stored or dropped.
    func storedKept() { state.withLock { $0.unstoredOnDisk = 0 } }

    func renewed() { state.withLock { $0.renewals += 1 } }

    func lost() { state.withLock { $0.leaseLosses += 1 } }
}
