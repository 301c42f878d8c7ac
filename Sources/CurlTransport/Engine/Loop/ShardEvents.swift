internal import Posix

/// Which shard of a loop an event belongs to. A pure value.
///
/// A shard is one of the loop's multi handles, and they share its epoll set. Each socket belongs to
/// the shard that has last watched it, and each shard has one timer.
struct ShardEvents {
    /// The shards of the watched sockets, by descriptor.
    private var owners: [Int32] = []
    /// The times when the shards' timers expire.
    private var timers: [MonotonicTime] = []
    private var earliestTimer = MonotonicTime.distantFuture
    /// Whether the earliest timer was changed or stopped.
    private var isEarliestUnknown = false
    /// The shards that may have results.
    private var worked: [Int] = []
    private var hasWorked: [Bool] = []

    // MARK: Sockets

    /// The shard of a watched socket.
    func owner(of descriptor: Int32) -> Int {
        owners.indices.contains(Int(descriptor)) ? Int(owners[Int(descriptor)]) : 0
    }

    /// Records that `shard` watches a socket.
    mutating func watch(_ descriptor: Int32, by shard: Int) {
        guard descriptor >= 0 else { return }
        let missing = Int(descriptor) + 1 - owners.count
        if missing > 0 {
            // The first shard's sockets need no entry.
            guard shard != 0 else { return }
            let added = max(missing, owners.count, 64)
            owners.append(contentsOf: repeatElement(0, count: added))
        }
        owners[Int(descriptor)] = Int32(shard)
    }

    // MARK: Timers

    /// When the first timer expires; `distantFuture` if none is set.
    var earliest: MonotonicTime {
        mutating get {
            if isEarliestUnknown {
                earliestTimer = timers.min() ?? .distantFuture
                isEarliestUnknown = false
            }
            return earliestTimer
        }
    }

    /// Sets the timer of `shard`; nil stops it.
    mutating func setTimer(of shard: Int, to time: MonotonicTime?) {
        let time = time ?? .distantFuture
        while shard >= timers.count { timers.append(.distantFuture) }
        if time <= earliestTimer {
            earliestTimer = time
            isEarliestUnknown = false
        } else if timers[shard] == earliestTimer {
            isEarliestUnknown = true
        }
        timers[shard] = time
    }

    /// Stops the next timer that has expired, of `shard` or a later one. Returns its shard.
    mutating func takeExpired(from shard: Int = 0, at now: MonotonicTime) -> Int? {
        guard shard > 0 || earliest <= now else { return nil }
        for index in timers.indices.dropFirst(shard) where timers[index] <= now {
            timers[index] = .distantFuture
            isEarliestUnknown = true
            return index
        }
        return nil
    }

    // MARK: Results

    /// Records that libcurl has worked in `shard`, so that it may have results.
    mutating func noteWork(in shard: Int) {
        while shard >= hasWorked.count { hasWorked.append(false) }
        guard !hasWorked[shard] else { return }
        hasWorked[shard] = true
        worked.append(shard)
    }

    /// Returns a shard that may have results, once for each time libcurl has worked there.
    mutating func takeWorked() -> Int? {
        guard let shard = worked.popLast() else { return nil }
        hasWorked[shard] = false
        return shard
    }
}
