import BatchFetch

/// The rates of a run and its estimated end.
///
/// If all files in flight are large, the end is estimated by their bytes. Pure: the time is that of
/// the progress.
struct ProgressRates: Sendable {
    /// The elapsed time in seconds before which no end is estimated.
    private static let firstEstimate = 2.0

    private var fetches = RateMeter()
    private var received = RateMeter()
    /// A slower meter for the estimated end, which ignores short variations.
    private var steady = RateMeter(memory: 20)
    private var steadyBytes = RateMeter(memory: 20)

    /// Completed URLs per second.
    private(set) var rate = 0.0
    /// Received bytes per second.
    private(set) var bytes = 0.0
    /// The estimated remaining seconds; `nil` if the total is unknown or nothing completes.
    private(set) var remaining: Double?
    /// The estimated remaining seconds of the large files in flight; `nil` if there are none, or
    /// nothing arrives.
    private(set) var remainingInFlight: Double?

    init() {}

    /// Updates the rates from the current progress.
    mutating func update(_ progress: BatchProgress) {
        let seconds = progress.elapsed / .seconds(1)
        rate = fetches.rate(count: Double(progress.done), at: seconds)
        bytes = received.rate(count: Double(progress.bytes), at: seconds)
        let steadyRate = steady.rate(count: Double(progress.done), at: seconds)
        let byteRate = steadyBytes.rate(count: Double(progress.bytes), at: seconds)
        remaining = nil
        remainingInFlight = nil
        guard seconds >= Self.firstEstimate else { return }
        // Files share the rate until the shorter ones end; the longest one then keeps its own speed.
        let longest = progress.large.longestRemaining.map { $0 / .seconds(1) } ?? 0
        if progress.showsBytes, byteRate > 1 {
            remainingInFlight = max(longest, Double(progress.large.remaining) / byteRate)
        }
        guard let expected = progress.expected else { return }
        if remainingInFlight != nil, progress.large.count >= progress.inFlight {
            // Files that haven't begun are estimated to be as long as those in flight.
            let queued = max(0, expected - progress.done - progress.inFlight)
            let mean = Double(progress.large.total) / Double(progress.large.count)
            let bytes = Double(progress.large.remaining) + Double(queued) * mean
            remaining = max(longest, bytes / byteRate)
        } else if steadyRate > 1e-6 {
            remaining = Double(max(0, expected - progress.done)) / steadyRate
        }
    }

    /// Formats remaining seconds, for example as "2 min 20 s".
    static func text(remaining seconds: Double) -> String {
        // No decimals: the estimate isn't that precise.
        guard seconds >= 1 else { return "1 s" }
        let whole = seconds.rounded()
        return whole < 120
            ? "\(NumberFormat.decimal(whole, digits: 0)) s"
            : NumberFormat.duration(.seconds(min(whole, 1e9)))
    }
}

extension BatchProgress {
    /// Whether the bytes of the files in flight say more than the number of URLs: at least half of
    /// them are large.
    var showsBytes: Bool { large.count > 0 && large.total > 0 && large.count * 2 >= inFlight }

    /// The done share of the expected URLs, from 0 to 1, with the received shares of large files.
    func share(of expected: Int) -> Double {
        guard expected > 0 else { return 0 }
        let begun = showsBytes ? Double(min(large.count, inFlight)) * large.share : 0
        return min(1, (Double(done) + begun) / Double(expected))
    }
}

/// The mean growth rate of a count over the last few seconds.
///
/// Older growth has less weight. Pure: the caller passes the current time.
struct RateMeter: Sendable {
    /// The age in seconds at which growth weighs about a third.
    private let memory: Double

    private var lastCount: Double?
    private var lastTime = 0.0
    private var weight = 0.0
    private var growth = 0.0

    init(memory: Double = 3) {
        self.memory = memory
    }

    /// Adds the count at `seconds`; returns the rate per second.
    mutating func rate(count: Double, at seconds: Double) -> Double {
        guard let before = lastCount else {
            lastCount = count
            lastTime = seconds
            return 0
        }
        let elapsed = seconds - lastTime
        guard elapsed > 0 else { return weight > 0 ? growth / weight : 0 }
        // 1/(1+x) approximates e^-x for small x and needs no library.
        let fade = 1 / (1 + elapsed / memory)
        growth = growth * fade + max(0, count - before)
        weight = weight * fade + elapsed
        lastCount = count
        lastTime = seconds
        return growth / weight
    }
}
