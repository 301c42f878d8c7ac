internal import Posix

/// A host that a worker holds, with the state of its queue. Pure.
struct HeldHost {
    /// A host that empties a slice in less time gets twice as many URLs, and a host that takes
    /// longer than four times as much gets half as many.
    private static let sliceTime = Duration.seconds(2)

    let lease: HostLease
    let name: String
    /// Whether the database has a state of the host.
    let hasFeedback: Bool
    /// Whether the database notes the URLs that the worker takes, because leases were lost.
    let isWatched: Bool
    /// What the next URL needs.
    var next = TakenSlice.Precaution.free
    /// Whether a URL in hand has a precaution; it is the only one.
    var hasSuspect = false
    var position = QueuePosition.start
    /// The number of URLs without a result.
    var inHand = 0
    /// Whether the queue had no more URLs.
    var isExhausted = false
    /// Whether a request was aborted, which the server may still be processing.
    var isAborted = false
    /// The maximum number of URLs of the next slice.
    var limit: Int
    /// When the last slice came; `nil` before the first.
    var slicedAt: MonotonicTime?

    /// Whether there are no URLs in hand and in the queue.
    var isFinished: Bool { isExhausted && inHand == 0 }

    /// Continues the queue after a place.
    mutating func pass(_ position: QueuePosition) -> (lease: HostLease, isWatched: Bool) {
        self.position = position
        return (lease, isWatched)
    }

    /// Counts a URL that the worker takes.
    mutating func take(_ precaution: TakenSlice.Precaution) {
        hasSuspect = precaution > .free
        inHand += 1
    }

    /// Adapts the limit to the time that the last slice took.
    mutating func adapt(at now: MonotonicTime) {
        defer { slicedAt = now }
        // Few URLs are suspected if the lease is lost.
        guard let slicedAt, !isWatched else { return }
        let time = Duration.nanoseconds(now.nanoseconds(since: slicedAt))
        if time < Self.sliceTime {
            limit = min(2 * limit, HeldHosts.sliceLimits.upperBound)
        } else if time > Self.sliceTime * 4 {
            limit = max(limit / 2, HeldHosts.sliceLimits.lowerBound)
        }
    }

    /// Whether it has URLs in hand, or may have some in the queue.
    var hasURLs: Bool { inHand > 0 || !isExhausted }

    /// Its part of ``HeldHosts/startable(perHost:perConnection:isWaiting:)``.
    func startable(perHost: Int, perConnection: Int) -> Int {
        guard next == .free else { return min(inHand, 1) }
        guard isExhausted else { return perHost }
        return Self.startable(inHand, perHost, perConnection)
    }

    /// The part of a host with so many URLs and no more.
    static func startable(_ urls: Int, _ perHost: Int, _ perConnection: Int) -> Int {
        min((urls + perConnection - 1) / perConnection, perHost)
    }
}
