internal import Posix

/// What a worker has.
struct WorkerState {
    let worker: Int
    var held = HeldHosts()
    /// What isn't stored yet.
    var report = FleetReport()
    /// When hosts get requests again, if that isn't stored yet.
    var pauses: [String: MonotonicTime] = [:]
    /// The rules of hosts that aren't stored yet.
    var robots: [String: ReadRobots] = [:]
    var renewAt = MonotonicTime.distantFuture
    /// When to look for hosts again, after none was available.
    var leaseAt = MonotonicTime(nanoseconds: 0)
    /// Whether the worker had fewer URLs to start than requests may be in flight.
    var isShort = false
    /// Whether the last exchange has got URLs.
    var hasNewURLs = false
    /// How fast results have come lately.
    var pace = WorkPace(at: .now)
    /// Whether the last exchange has stored only a part of the report.
    var hasRest = false
    /// When to store a report that has few results.
    var deliverAt = MonotonicTime(nanoseconds: 0)
    /// When to use the database again, after it failed.
    var retryAt = MonotonicTime(nanoseconds: 0)
    /// Whether the database failed at the last use.
    var isAway = false
    /// Whether the user knows that results can't be kept on disk.
    var hasDiskWarning = false

    init(worker: Int) {
        self.worker = worker
    }

    /// Whether the report comes before further URLs.
    ///
    /// Otherwise the worker gets them first, and fetches them while the database stores results. A URL
    /// that continues at another host, or one after which the worker has none, can start only after
    /// the report. A report that gives hosts back is one that couldn't be stored before: if the worker
    /// leased these hosts again, that would end the tokens of its own results.
    var mustDeliverBeforeSlice: Bool {
        report.isUrgent || !report.moves.isEmpty || !report.returned.isEmpty || held.inHand == 0
    }

    /// The pause before the next exchange.
    ///
    /// An exchange takes about as long for one result as for many, so the pause is longer where
    /// results are few: fewer than 32 in it. New URLs may be fetched in less time.
    var pause: Duration {
        let isLong = pace.count(in: .milliseconds(20)) < 32 && !isShort && !hasNewURLs
        return .milliseconds(isLong ? 20 : 5)
    }

    /// Whether so many results wait for the database that the worker gets no URLs meanwhile.
    var hasBacklog: Bool {
        report.completions.count >= 16 * Self.portionSizes.lowerBound
    }

    /// The numbers of results that PostgreSQL stores in some tens of milliseconds.
    private static let portionSizes = 256...1024

    /// The number of results that are stored at once: those of a short time.
    ///
    /// Each transaction has costs of its own, so a fast worker stores more in one.
    var portionSize: Int {
        let count = pace.count(in: .milliseconds(30))
        return min(max(count, Self.portionSizes.lowerBound), Self.portionSizes.upperBound)
    }
}
