internal import Posix

/// How fast the results of a worker come. Pure.
struct WorkPace {
    /// The time after which an earlier rate doesn't count any more, in seconds.
    private static let window = 0.05

    /// The number of results per second.
    private(set) var rate = 0.0
    private var last: MonotonicTime

    init(at now: MonotonicTime) { last = now }

    /// Adds the results since the last call, or since the start.
    mutating func add(_ count: Int, at now: MonotonicTime) {
        let seconds = Double(now.nanoseconds(since: last)) / 1_000_000_000
        guard seconds > 0 else { return }
        last = now
        rate += (Double(count) / seconds - rate) * min(1, seconds / Self.window)
    }

    /// The number of results in a time.
    func count(in time: Duration) -> Int {
        Int(rate * Double(time.wholeNanoseconds) / 1_000_000_000)
    }
}
