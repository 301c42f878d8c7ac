internal import Posix

/// The times at which a loop has work without an event.
struct LoopDeadlines {
    /// When libcurl's timer expires.
    var curl: MonotonicTime?
    /// When the next sweep checks the deadlines of all transfers.
    private(set) var sweep = MonotonicTime.distantFuture
    /// When idle connections are closed.
    private var idle: MonotonicTime?

    /// The earliest of these times; `distantFuture` if there is none.
    var earliest: MonotonicTime {
        let deadline = curl.map { min($0, sweep) } ?? sweep
        return idle.map { min($0, deadline) } ?? deadline
    }

    /// Stops libcurl's timer if it has expired. Returns whether it has.
    mutating func takeCurl(at now: MonotonicTime) -> Bool {
        guard let curl, curl <= now else { return false }
        self.curl = nil
        return true
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
}
