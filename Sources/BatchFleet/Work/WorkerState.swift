internal import Posix

/// What a worker has.
struct WorkerState {
    let worker: Int
    var held = HeldHosts()
    /// What isn't stored yet.
    var report = FleetReport()
    /// When hosts get requests again, if that isn't stored yet.
    var pauses: [String: MonotonicTime] = [:]
    /// The rules of hosts that aren't stored yet.
    var robots: [String: ReadRobots] = [:]
    var renewAt = MonotonicTime.distantFuture
    /// When to look for hosts again, after none was available.
    var leaseAt = MonotonicTime(nanoseconds: 0)
    /// When to store a report that has few results.
    var deliverAt = MonotonicTime(nanoseconds: 0)
    /// When to use the database again, after it failed.
    var retryAt = MonotonicTime(nanoseconds: 0)
    /// Whether the database failed at the last use.
    var isAway = false
    /// Whether the user knows that results can't be kept on disk.
    var hasDiskWarning = false

    init(worker: Int) {
        self.worker = worker
    }
}
