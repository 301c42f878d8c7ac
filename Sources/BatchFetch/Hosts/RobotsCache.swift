internal import DequeModule
import Posix

/// A cache of the hosts' `robots.txt`. Pure: the caller passes the current time.
struct RobotsCache: Sendable {
    /// The maximum number of cached files; beyond it the oldest are fetched again.
    private static let capacity = 4096
    static let lifetime = Duration.seconds(24 * 3600)
    /// The pause of a host whose file can't be fetched.
    private static let pause = Duration.seconds(60)

    enum Access: Sendable, Hashable {
        case allowed
        /// The URL may not be fetched, for this reason.
        case disallowed(String)
        /// The host may not be connected to, for this reason.
        case refused(String)
        /// The file must be fetched first.
        case unknown

        /// Why the URL fails; `nil` if it doesn't.
        var failure: BatchFailure? {
            switch self {
            case .allowed, .unknown: nil
            case .disallowed(let reason): BatchFailure(.robots, reason)
            case .refused(let reason): BatchFailure(.addressRefused, reason)
            }
        }
    }

    private enum Entry: Sendable {
        case rules(RobotsFile, until: MonotonicTime)
        case unavailable(String, until: MonotonicTime)
        case refused(String, until: MonotonicTime)
    }

    private var entries: [String: Entry] = [:]
    private var order = Deque<String>()

    func access(for target: FetchTarget, at now: MonotonicTime) -> Access {
        switch entries[target.hostKey] {
        case .rules(let file, let end) where end > now:
            file.allows(String(target.rest))
                ? .allowed : .disallowed("robots.txt of \(target.hostKey) disallows it")
        case .unavailable(let reason, let end) where end > now:
            .disallowed("robots.txt of \(target.hostKey) is unavailable: \(reason)")
        case .refused(let reason, let end) where end > now:
            .refused("robots.txt of \(target.hostKey) can't be fetched: \(reason)")
        default: .unknown
        }
    }

    /// The crawl delay in a host's file; `nil` if the file is unknown or has none.
    func crawlDelay(of host: String, at now: MonotonicTime) -> Duration? {
        guard case .rules(let file, let end) = entries[host], end > now else { return nil }
        return file.crawlDelay
    }

    mutating func learn(
        _ file: RobotsFile,
        of host: String,
        for lifetime: Duration = lifetime,
        at now: MonotonicTime
    ) {
        let end = now.advanced(by: min(lifetime, Self.lifetime))
        remember(.rules(file, until: end), of: host)
    }

    /// Records that the file can't be fetched: no URL of the host may be fetched for now (RFC 9309,
    /// 2.3.1.4).
    mutating func miss(_ reason: String, of host: String, at now: MonotonicTime) {
        remember(.unavailable(reason, until: now.advanced(by: Self.pause)), of: host)
    }

    /// Records that the host may not be connected to.
    mutating func refuse(_ reason: String, of host: String, at now: MonotonicTime) {
        remember(.refused(reason, until: now.advanced(by: Self.pause)), of: host)
    }

    private mutating func remember(_ entry: Entry, of host: String) {
        if entries.updateValue(entry, forKey: host) == nil { order.append(host) }
        while entries.count > Self.capacity, let oldest = order.popFirst() {
            entries[oldest] = nil
        }
    }
}
