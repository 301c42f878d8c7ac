/// How far a run is, at one moment.
public struct BatchProgress: Sendable, Hashable {
    /// URLs that were fetched.
    public var fetched = 0
    /// URLs that were given up.
    public var failed = 0
    /// URLs that an earlier run had done with, according to its journal or its results.
    public var skipped = 0
    /// URLs that were not fetched because a file of their name was there.
    public var existing = 0
    /// URLs whose servers said that the body of an earlier run is still the right one.
    public var unchanged = 0
    /// URLs that were left out because they had come before.
    public var duplicates = 0
    /// URLs in flight.
    public var inFlight = 0
    /// URLs that have been read and wait for their turn, or for another attempt.
    public var waiting = 0
    /// Further attempts that were started.
    public var retries = 0
    /// Bytes of bodies received, those of unfinished and of failed attempts included.
    public var bytes: Int64 = 0
    /// How many URLs there are in all, those that an earlier run had done with left out: known once the
    /// list has been read to its end, and estimated before where the list is a file of known size;
    /// `nil` where nobody can tell.
    public var expected: Int?
    /// Whether ``expected`` is no estimate.
    public var isExpectedExact = false
    /// Since the run began.
    public var elapsed: Duration = .zero

    /// URLs that are done with.
    public var done: Int { fetched + failed + existing + unchanged }

    /// URLs that are known of and not yet done with.
    var remaining: Int { inFlight + waiting }

    /// How many URLs there seem to be in all, where so much of the list has been read; 0 where nobody
    /// can tell. What an earlier run had done with is left out.
    func estimate(readShare: Double) -> Int {
        guard readShare > 0, readShare <= 1 else { return 0 }
        let total = Double(done + remaining + skipped) / readShare - Double(skipped)
        return total < 1e15 ? Int(total.rounded()) : 0
    }
}
