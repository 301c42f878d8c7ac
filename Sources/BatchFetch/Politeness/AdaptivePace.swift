import Curl

/// How fast a host is asked, by how it answers: slowly faster, and at once half as fast when it
/// struggles (additive increase, multiplicative decrease). Pure: the time comes as an argument.
///
/// First fewer URLs are in flight, and with one left a delay between them grows; each success takes a
/// quarter of that, and 50 ms at least. Only a success
/// makes it faster: an error comes quickly from a server that is down. It counts as struggling when
/// a host fails, asks for fewer requests, or takes several times as long as it did.
struct AdaptivePace: Sendable, Hashable {
    private static let firstDelay = Duration.milliseconds(250)
    private static let maximumDelay = Duration.seconds(60)
    private static let step = Duration.milliseconds(50)
    /// So many times the usual time to the first byte is struggling; below `quick` nothing is.
    private static let slowness = 4
    private static let quick = Duration.milliseconds(200)

    /// The most that may be in flight.
    private let limit: Int
    private var window: Double
    /// The time from one start to the next.
    private(set) var delay = Duration.zero
    private var usualLatency: Duration?
    private var quietUntil = MonotonicTime(nanoseconds: .min)

    init(limit: Int) {
        self.limit = max(1, limit)
        window = Double(self.limit)
    }

    /// How many may be in flight now.
    var concurrency: Int { max(1, Int(window)) }

    mutating func attemptEnded(_ sign: HostSign, at now: MonotonicTime) {
        switch sign {
        case .healthy(let latency):
            if isSlow(latency) {
                slowDown(latency: latency, at: now)
            } else {
                speedUp()
            }
            learn(latency)
        case .overloaded, .failing:
            slowDown(latency: usualLatency ?? .zero, at: now)
        case .answered, .neutral:
            break
        }
    }

    private func isSlow(_ latency: Duration) -> Bool {
        guard let usualLatency, latency > Self.quick else { return false }
        return latency > usualLatency * Self.slowness
    }

    /// The usual time follows what is faster quickly and what is slower reluctantly.
    private mutating func learn(_ latency: Duration) {
        guard let usual = usualLatency else {
            usualLatency = latency
            return
        }
        usualLatency = latency < usual ? (usual + latency) / 2 : usual + (latency - usual) / 32
    }

    private mutating func speedUp() {
        if delay > .zero {
            // A host that was in trouble for minutes would take hours in steps alone.
            delay = max(.zero, delay - max(Self.step, delay / 4))
        } else {
            window = min(Double(limit), window + 1 / window)
        }
    }

    /// What was in flight together ends together, and is one reason and not many.
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
