package import Posix

/// Spaces events with the generic cell rate algorithm, which equals a token bucket.
///
/// If the interval is shorter than clocks and threads are exact, some events follow each other at
/// once. Pure: the caller passes the current time.
package struct RateLimiter: Sendable, Hashable {
    /// The tolerance in nanoseconds for intervals shorter than it: such events pass in bursts.
    private static let tolerance = Duration.milliseconds(10).wholeNanoseconds

    /// The events that may follow each other at once after a quiet time.
    private let burst: Int64
    /// When the next event is due if all are exactly on time.
    private var due = MonotonicTime(nanoseconds: .min)

    /// - Parameter burst: The size of the token bucket; with 1, events are spaced evenly.
    package init(burst: Int = 1) {
        self.burst = Int64(max(1, burst))
    }

    /// The earliest time of the next event.
    package func opens(interval: Duration) -> MonotonicTime {
        let length = interval.wholeNanoseconds
        let (saved, overflow) = length.multipliedReportingOverflow(by: burst - 1)
        let slack = length < Self.tolerance ? max(Self.tolerance, saved) : saved
        return due.advanced(byNanoseconds: overflow ? -.max : -slack)
    }

    /// Whether an event may follow now.
    package func isOpen(interval: Duration, at now: MonotonicTime) -> Bool {
        opens(interval: interval) <= now
    }

    /// Whether the limiter allows as much as a new one.
    package func isUnused(at now: MonotonicTime) -> Bool {
        due <= now
    }

    /// Records an event.
    package mutating func pass(interval: Duration, at now: MonotonicTime) {
        due = max(due, now).advanced(by: interval)
    }
}
