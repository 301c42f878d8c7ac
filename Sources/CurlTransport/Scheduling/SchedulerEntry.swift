internal import Posix

/// The entry of a transfer, or of a connection for bytes, in the scheduler of its loop.
struct SchedulerEntry {
    /// The origin that the entry is queued at or has a place of; nil without either.
    private(set) var origin: Scheduler.OriginIndex?

    /// When the entry was last queued.
    private(set) var enqueued: MonotonicTime

    /// The time in the queue in nanoseconds, over all attempts.
    private(set) var queueTime: Int64 = 0

    init(at now: MonotonicTime) {
        enqueued = now
    }

    /// Records that the scheduler has queued the entry at `origin`.
    mutating func entered(_ origin: Scheduler.OriginIndex, at now: MonotonicTime) {
        self.origin = origin
        enqueued = now
    }

    /// Records the end of the time in the queue.
    mutating func leftQueue(at now: MonotonicTime) {
        queueTime += now.nanoseconds(since: enqueued)
    }

    /// Removes and returns the origin, whose queue or place the entry leaves.
    @discardableResult
    mutating func takeOrigin() -> Scheduler.OriginIndex? {
        defer { origin = nil }
        return origin
    }
}
