import Posix

/// A rate limit for the start of requests.
public struct RequestRate: Sendable, Hashable {
    /// The time between two starts.
    public let interval: Duration

    /// Creates a rate; `nil` if it is less than one request a day.
    public init?(perSecond: Double) {
        guard perSecond.isFinite, perSecond >= 1 / 86_400 else { return nil }
        interval = .seconds(1 / perSecond)
    }

    /// Parses `5/s`, `30/m`, `100/h`, or a number of requests per second.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let count = parts.first.flatMap({ Double(String($0)) }), parts.count <= 2
        else { return nil }
        let seconds: Double? =
            switch parts.count == 2 ? String(parts[1]) : "s" {
            case "s", "sec": 1
            case "m", "min": 60
            case "h": 3600
            default: nil
            }
        guard let seconds else { return nil }
        self.init(perSecond: count / seconds)
    }
}

/// Spaces events evenly with the generic cell rate algorithm.
///
/// If the interval is shorter than clocks and threads are exact, some events follow each other at
/// once. Pure: the caller passes the current time.
struct RateLimiter: Sendable, Hashable {
    /// The tolerance in nanoseconds for intervals shorter than it: such events pass in bursts.
    private static let tolerance = Duration.milliseconds(10).wholeNanoseconds

    /// When the next event is due if all are exactly on time.
    private var due = MonotonicTime(nanoseconds: .min)

    /// The earliest time of the next event.
    func opens(interval: Duration) -> MonotonicTime {
        let slack = interval.wholeNanoseconds < Self.tolerance ? Self.tolerance : 0
        return due.advanced(byNanoseconds: -slack)
    }

    func isOpen(interval: Duration, at now: MonotonicTime) -> Bool {
        opens(interval: interval) <= now
    }

    /// Records an event.
    mutating func pass(interval: Duration, at now: MonotonicTime) {
        due = max(due, now).advanced(by: interval)
    }
}
