import Curl

/// What the hosts' `robots.txt` say, as far as it is known. Pure: the time comes as an argument.
struct RobotsCache: Sendable {
    /// Hosts whose files are remembered; of more the oldest are asked again.
    private static let capacity = 4096
    private static let lifetime = Duration.seconds(24 * 3600)
    /// How long a host whose file can't be had is left alone.
    private static let pause = Duration.seconds(60)

    enum Verdict: Sendable, Hashable {
        case allowed
        /// For this reason.
        case disallowed(String)
        /// The file has to be fetched first.
        case unknown
    }

    private enum Entry: Sendable {
        case rules(RobotsFile, until: MonotonicTime)
        case unavailable(String, until: MonotonicTime)
    }

    private var entries: [String: Entry] = [:]
    private var order = RingQueue<String>()

    func verdict(for target: FetchTarget, at now: MonotonicTime) -> Verdict {
        switch entries[target.hostKey] {
        case .rules(let file, let end) where end > now:
            file.allows(String(target.rest))
                ? .allowed : .disallowed("robots.txt of \(target.hostKey) disallows it")
        case .unavailable(let reason, let end) where end > now:
            .disallowed("robots.txt of \(target.hostKey) can't be had for now: \(reason)")
        default: .unknown
        }
    }

    /// What a host's file asks for between two requests; nil if that isn't known, or nothing.
    func crawlDelay(of host: String, at now: MonotonicTime) -> Duration? {
        guard case .rules(let file, let end) = entries[host], end > now else { return nil }
        return file.crawlDelay
    }

    mutating func learn(_ file: RobotsFile, of host: String, at now: MonotonicTime) {
        remember(.rules(file, until: now.advanced(by: Self.lifetime)), of: host)
    }

    /// The file can't be had: nothing may be fetched for now (RFC 9309, 2.3.1.4).
    mutating func miss(_ reason: String, of host: String, at now: MonotonicTime) {
        remember(.unavailable(reason, until: now.advanced(by: Self.pause)), of: host)
    }

    private mutating func remember(_ entry: Entry, of host: String) {
        if entries.updateValue(entry, forKey: host) == nil { order.append(host) }
        while entries.count > Self.capacity, let oldest = order.popFirst() {
            entries[oldest] = nil
        }
    }
}
