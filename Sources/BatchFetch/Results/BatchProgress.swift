/// The progress of a run at one moment.
public struct BatchProgress: Sendable, Hashable {
    /// URLs that were fetched.
    public var fetched = 0
    /// URLs that failed permanently.
    public var failed = 0
    /// URLs that an earlier run completed, according to its journal or results.
    public var skipped = 0
    /// URLs that were not fetched because their file exists.
    public var existing = 0
    /// URLs whose server confirmed that an earlier run's body is current.
    public var unchanged = 0
    /// URLs that were left out as duplicates.
    public var duplicates = 0
    /// URLs in flight.
    public var inFlight = 0
    /// URLs that are queued for their first attempt or for a retry.
    public var waiting = 0
    /// Retries that were started.
    public var retries = 0
    /// Bytes of received bodies, including unfinished and failed attempts.
    public var bytes: Int64 = 0
    /// The large bodies in flight.
    public var large = LargeBodyProgress()
    /// The total number of URLs, without those completed by earlier runs.
    ///
    /// Exact after the whole list has been read. Before that an estimate if the list is a file of
    /// known size, otherwise `nil`.
    public var expected: Int?
    /// Whether ``expected`` is exact.
    public var isExpectedExact = false
    /// The time until the next start, if URLs wait and none is in flight: their hosts are paused, or
    /// they are to be retried. `nil` otherwise.
    public var nextStart: Duration?
    /// The time since the start of the run.
    public var elapsed: Duration = .zero

    /// URLs with a final result.
    public var done: Int { fetched + failed + existing + unchanged }

    /// URLs that were read and have no final result yet.
    var remaining: Int { inFlight + waiting }

    /// Estimates the total number of URLs from the list's read share.
    ///
    /// Leaves out the URLs that an earlier run has completed. Returns 0 if there is no estimate.
    func estimate(readShare: Double) -> Int {
        guard readShare > 0, readShare <= 1 else { return 0 }
        let total = Double(done + remaining + skipped) / readShare - Double(skipped)
        return total < 1e15 ? Int(total.rounded()) : 0
    }
}
