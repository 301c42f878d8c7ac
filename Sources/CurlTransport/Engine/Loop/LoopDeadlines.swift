internal import Posix

/// The times at which a loop has work without an event, except libcurl's timers (``ShardEvents``).
struct LoopDeadlines {
    /// When the next sweep checks the deadlines of all transfers.
    private(set) var sweep = MonotonicTime.distantFuture
    /// When idle connections are closed.
    private var idle: MonotonicTime?
    /// When the idle connections of single shards are closed.
    private(set) var idleShards = MonotonicTime.distantFuture

    /// The earliest of these times; `distantFuture` if there is none.
    var earliest: MonotonicTime {
        min(idle ?? .distantFuture, min(sweep, idleShards))
    }

    /// Moves the next sweep forward to `deadline`, if it is later.
    mutating func considerSweep(at deadline: MonotonicTime) {
        if deadline < sweep { sweep = deadline }
    }

    /// Unschedules the sweep, which begins and considers all deadlines.
    mutating func beginSweep() {
        sweep = .distantFuture
    }

    /// Delays the next sweep until `time`, if it is earlier.
    mutating func delaySweep(until time: MonotonicTime) {
        sweep = max(sweep, time)
    }

    /// Closes idle connections at `time`, unless an earlier call has set the time.
    mutating func startIdle(until time: MonotonicTime) {
        if idle == nil { idle = time }
    }

    /// Keeps idle connections open.
    mutating func stopIdle() {
        idle = nil
    }

    /// Returns whether idle connections must be closed now, once.
    mutating func takeIdle(at now: MonotonicTime) -> Bool {
        guard let idle, idle <= now else { return false }
        self.idle = nil
        return true
    }

    /// Closes the idle connections of single shards at `time`, if it is earlier than the set time.
    mutating func considerIdleShards(at time: MonotonicTime) {
        idleShards = min(idleShards, time)
    }

    /// Returns whether idle connections of single shards may have to be closed now, once.
    mutating func takeIdleShards(at now: MonotonicTime) -> Bool {
        guard idleShards <= now else { return false }
        idleShards = .distantFuture
        return true
    }
}
