/// How fast a run is, and when it will have ended. Pure: the time is that of the progress.
struct ProgressRates: Sendable {
    /// Before this nobody knows how it will go on.
    private static let firstEstimate = 2.0

    private var fetches = RateMeter()
    private var received = RateMeter()
    /// For the end, a moment's ups and downs don't count.
    private var steady = RateMeter(memory: 20)

    /// URLs that are done with, a second.
    private(set) var rate = 0.0
    /// Bytes a second.
    private(set) var bytes = 0.0
    /// Seconds to the end; `nil` where that can't be told: the length of the list isn't known, or
    /// nothing gets done.
    private(set) var remaining: Double?

    init() {}

    /// Takes how far it is now.
    mutating func update(_ progress: BatchProgress) {
        let seconds = progress.elapsed / .seconds(1)
        rate = fetches.rate(count: Double(progress.done), at: seconds)
        bytes = received.rate(count: Double(progress.bytes), at: seconds)
        let steadyRate = steady.rate(count: Double(progress.done), at: seconds)
        remaining = nil
        guard let expected = progress.expected, seconds >= Self.firstEstimate, steadyRate > 1e-6
        else { return }
        remaining = Double(max(0, expected - progress.done)) / steadyRate
    }

    /// "1 min 20 s", of what can be told.
    static func text(remaining seconds: Double) -> String {
        // No decimals: nobody knows it so well.
        guard seconds >= 1 else { return "1 s" }
        let whole = seconds.rounded()
        return whole < 120
            ? "\(NumberFormat.decimal(whole, digits: 0)) s"
            : NumberFormat.duration(.seconds(min(whole, 1e9)))
    }
}
