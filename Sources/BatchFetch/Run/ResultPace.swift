import Posix

/// Determines how long results are collected before the consumer is woken.
///
/// When results are frequent, waking the consumer for each would cost more than everything else: a
/// wake-up takes several thread switches. The aim is to deliver a quarter of the maximum number of
/// pending results at once.
struct ResultPace {
    /// Results with a longer interval are delivered immediately.
    static let thick = Duration.milliseconds(1)
    /// The maximum delay, which isn't noticeable.
    static let longest = Duration.milliseconds(8)

    /// The number of pending results at which no more attempts start.
    let limit: Int
    private var lastTaken: MonotonicTime?
    private var pause = thick

    init(limit: Int) {
        self.limit = limit
    }

    /// Records a delivery to the consumer.
    mutating func recordTaken(_ count: Int, at now: MonotonicTime) {
        if let lastTaken, count > 0 {
            let quarter = now.nanoseconds(since: lastTaken) / Int64(count) * Int64(limit / 4)
            pause = min(max(.nanoseconds(quarter), Self.thick), Self.longest)
        }
        lastTaken = now
    }

    /// How long to collect results after the first has arrived; `nil` for no delay.
    func pause(at now: MonotonicTime) -> Duration? {
        // With a low limit, no attempts would start meanwhile.
        guard limit >= 1024, let lastTaken, lastTaken.advanced(by: Self.thick) > now
        else { return nil }
        return pause
    }
}
