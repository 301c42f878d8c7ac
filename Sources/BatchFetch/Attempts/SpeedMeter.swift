import Posix

/// Measures whether a body keeps its minimum speed. Pure: the caller passes the current time.
struct SpeedMeter: Sendable {
    private let minimum: MinimumSpeed
    /// The bytes of the current window.
    private var bytes: Int64 = 0
    /// The time of the current window up to ``since``.
    private var elapsed = Duration.zero
    /// Since when the time runs; `nil` while the client pauses the body.
    private var since: MonotonicTime?

    init(_ minimum: MinimumSpeed, at now: MonotonicTime) {
        self.minimum = minimum
        since = now
    }

    mutating func add(_ count: Int) { bytes += Int64(count) }

    mutating func pause(at now: MonotonicTime) {
        elapsed = time(at: now)
        since = nil
    }

    mutating func resume(at now: MonotonicTime) {
        if since == nil { since = now }
    }

    private func time(at now: MonotonicTime) -> Duration {
        guard let since else { return elapsed }
        return elapsed + .nanoseconds(max(0, now.nanoseconds(since: since)))
    }

    /// Ends the window if its time is over.
    ///
    /// - Returns: Why the body is too slow; `nil` if it isn't, or the window isn't over.
    mutating func check(at now: MonotonicTime) -> BatchFailure? {
        let time = time(at: now)
        guard time >= minimum.window else { return nil }
        let count = bytes
        (bytes, elapsed) = (0, .zero)
        if since != nil { since = now }
        guard Double(count) < Double(minimum.bytesPerSecond) * (time / .seconds(1)) else {
            return nil
        }
        return BatchFailure(
            .timeout,
            "the body arrived too slowly: \(count) bytes in \(NumberFormat.duration(time)), while "
                + "the minimum speed is \(minimum.bytesPerSecond) bytes a second"
        )
    }
}
