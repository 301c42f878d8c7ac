/// How far a run is, at one moment.
public struct BatchProgress: Sendable, Hashable {
    /// URLs that were fetched.
    public var fetched = 0
    /// URLs that were given up.
    public var failed = 0
    /// URLs that an earlier run had done with, according to the journal.
    public var skipped = 0
    /// URLs that were not fetched because a file of their name was there.
    public var existing = 0
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
    /// Since the run began.
    public var elapsed: Duration = .zero

    /// URLs that are done with.
    public var done: Int { fetched + failed + existing }
}
