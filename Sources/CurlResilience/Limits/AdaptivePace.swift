package import Posix

/// Adapts the request rate of a host to its answers. Pure: the caller passes the current time.
///
/// The rate rises slowly and halves when the host struggles (additive increase, multiplicative
/// decrease). First the number of URLs in flight falls; at one, a delay between starts grows. Each
/// success shortens the delay by a quarter, at least by 50 ms. Only a success raises the rate,
/// because a server that is down fails quickly. If more URLs in a row fail than may be in flight,
/// the rate falls at once to one URL in flight and a delay: otherwise a server that answers within
/// a millisecond would get thousands of requests until then. A host counts as struggling when it
/// fails, asks for fewer requests, or takes several times as long as usual.
package struct AdaptivePace: Sendable, Hashable {
    private static let firstDelay = Duration.milliseconds(250)
    private static let maximumDelay = Duration.seconds(60)
    private static let step = Duration.milliseconds(50)
    /// The factor over the usual latency that counts as struggling.
    ///
    /// Latencies below `quick` never count.
    private static let slowness = 4
    private static let quick = Duration.milliseconds(200)

    /// The maximum number of URLs in flight.
    private let limit: Int
    private var window: Double
    /// The minimum time between two starts.
    package private(set) var delay = Duration.zero
    private var usualLatency: Duration?
    private var quietUntil = MonotonicTime(nanoseconds: .min)
    /// Failures since the last other answer.
    private var failures = 0

    package init(limit: Int) {
        self.limit = max(1, limit)
        window = Double(self.limit)
    }

    /// What another process needs to continue at the same pace.
    package struct Rate: Sendable, Hashable, Codable {
        /// The number of URLs in flight, with the share of a further one.
        package let window: Double
        /// The minimum time between two starts, in nanoseconds.
        package let delay: Int64
    }

    /// The pace now.
    package var rate: Rate { Rate(window: window, delay: delay.wholeNanoseconds) }

    /// Continues at the pace of another process.
    package mutating func restore(_ rate: Rate) {
        guard rate.window.isFinite else { return }
        window = min(Double(limit), max(1, rate.window))
        delay = min(Self.maximumDelay, max(.zero, .nanoseconds(rate.delay)))
    }

    /// The number of URLs that may be in flight now.
    package var concurrency: Int { max(1, Int(window)) }

    /// Whether nothing is limited beyond the maximum.
    package var isUnlimited: Bool { delay == .zero && window >= Double(limit) }

    package mutating func attemptEnded(_ feedback: HostFeedback, at now: MonotonicTime) {
        switch feedback {
        case .healthy(let latency):
            failures = 0
            if isSlow(latency) {
                slowDown(latency: latency, at: now)
            } else {
                speedUp()
            }
            learn(latency)
        case .overloaded, .failing:
            failures = min(failures + 1, limit + 1)
            if failures > limit { stepBack() }
            slowDown(latency: usualLatency ?? .zero, at: now)
        case .answered:
            failures = 0
        case .neutral:
            break
        }
    }

    private func isSlow(_ latency: Duration) -> Bool {
        guard let usualLatency, latency > Self.quick else { return false }
        return latency > usualLatency * Self.slowness
    }

    /// Updates the usual latency: quickly to lower values, slowly to higher.
    private mutating func learn(_ latency: Duration) {
        guard let usual = usualLatency else {
            usualLatency = latency
            return
        }
        usualLatency = latency < usual ? (usual + latency) / 2 : usual + (latency - usual) / 32
    }

    private mutating func speedUp() {
        if delay > .zero {
            // With fixed steps alone, a host that struggled for minutes would take hours to
            // recover.
            delay = max(.zero, delay - max(Self.step, delay / 4))
        } else {
            window = min(Double(limit), window + 1 / window)
        }
    }

    /// Leaves one URL in flight, with a delay.
    private mutating func stepBack() {
        window = 1
        delay = max(delay, Self.firstDelay)
    }

    /// Halves the rate, once for attempts that were in flight together.
    private mutating func slowDown(latency: Duration, at now: MonotonicTime) {
        guard quietUntil <= now else { return }
        if window > 1 {
            window = max(1, window / 2)
        } else {
            delay = min(Self.maximumDelay, max(Self.firstDelay, delay * 2))
        }
        quietUntil = now.advanced(by: max(latency, Self.firstDelay))
    }
}
