import Curl

/// Spaces events evenly: the generic cell rate algorithm. Where the space is shorter than clocks and
/// threads are exact, some may follow each other at once. Pure: the time comes as an argument.
struct PaceGate: Sendable, Hashable {
    /// Events whose times lie so near are let through together.
    private static let tolerance = Duration.milliseconds(10).wholeNanoseconds

    /// When the next event would come if they came exactly in time.
    private var due = MonotonicTime(nanoseconds: .min)

    /// When the next event may happen.
    func opens(interval: Duration) -> MonotonicTime {
        let slack = interval.wholeNanoseconds < Self.tolerance ? Self.tolerance : 0
        return due.advanced(byNanoseconds: -slack)
    }

    func isOpen(interval: Duration, at now: MonotonicTime) -> Bool {
        opens(interval: interval) <= now
    }

    /// An event happens.
    mutating func pass(interval: Duration, at now: MonotonicTime) {
        due = max(due, now).advanced(by: interval)
    }
}
