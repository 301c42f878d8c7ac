import Posix

/// The requests of a run for `robots.txt`, and the URLs that these files allow.
struct RobotsRequests: Sendable {
    /// The files of hosts; `nil` if they aren't obeyed.
    private var cache: RobotsCache?
    /// The retries that are due; their hosts' queues are blocked.
    private(set) var waiting: [FetchJob] = []
    /// The number of requests in flight.
    private(set) var inFlight = 0

    init(obeysRobots: Bool) {
        cache = obeysRobots ? RobotsCache() : nil
    }

    // MARK: Requests

    mutating func retry(_ job: FetchJob) { waiting.append(job) }

    mutating func nextRetry() -> FetchJob? { waiting.popLast() }

    mutating func dropRetries() { waiting = [] }

    mutating func started() { inFlight += 1 }

    mutating func ended() {
        assert(inFlight > 0, "a request for robots.txt ended that wasn't started")
        inFlight -= 1
    }

    // MARK: Files

    /// Whether a URL may be fetched. All may if `robots.txt` isn't obeyed.
    func access(for target: FetchTarget, at now: MonotonicTime) -> RobotsCache.Access {
        cache?.access(for: target, at: now) ?? .allowed
    }

    /// The crawl delay in a host's file; `nil` if the file is unknown or has none.
    func crawlDelay(of host: String, at now: MonotonicTime) -> Duration? {
        cache?.crawlDelay(of: host, at: now)
    }

    mutating func learn(_ file: RobotsFile, of host: String, at now: MonotonicTime) {
        cache?.learn(file, of: host, at: now)
    }

    /// Continues with the file that another process has read.
    mutating func restore(_ handover: RobotsHandover, of host: String, at now: MonotonicTime) {
        cache?.learn(handover.file, of: host, for: handover.lifetime, at: now)
    }

    /// Records that a host's file can't be fetched.
    mutating func miss(_ reason: String, of host: String, at now: MonotonicTime) {
        cache?.miss(reason, of: host, at: now)
    }

    /// Records that a host may not be connected to.
    mutating func refuse(_ reason: String, of host: String, at now: MonotonicTime) {
        cache?.refuse(reason, of: host, at: now)
    }
}
