import Curl

/// For how long results are gathered before the consumer is woken for them.
///
/// Where they come thick and fast, waking it for each would cost more than all else: a wake-up is some
/// switches between threads. It is given as many together as a quarter of what may wait for it.
struct ResultPace {
    /// Results that come further apart than this are handed on at once.
    static let thick = Duration.milliseconds(1)
    /// Nobody who watches sees a difference.
    static let longest = Duration.milliseconds(8)

    /// How many results may wait before nothing is started any more.
    let limit: Int
    private var lastTaken: MonotonicTime?
    private var pause = thick

    init(limit: Int) {
        self.limit = limit
    }

    /// The consumer was given some.
    mutating func took(_ count: Int, at now: MonotonicTime) {
        if let lastTaken, count > 0 {
            let quarter = now.nanoseconds(since: lastTaken) / Int64(count) * Int64(limit / 4)
            pause = min(max(.nanoseconds(quarter), Self.thick), Self.longest)
        }
        lastTaken = now
    }

    /// How long the next ones are waited for, of which the first has come now; nil for not at all.
    func pause(at now: MonotonicTime) -> Duration? {
        // Where only few may wait, nothing would be started meanwhile.
        guard limit >= 1024, let lastTaken, lastTaken.advanced(by: Self.thick) > now
        else { return nil }
        return pause
    }
}
