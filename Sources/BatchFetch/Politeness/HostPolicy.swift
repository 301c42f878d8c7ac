/// What holds for one host.
struct HostPolicy: Sendable, Hashable {
    /// The most URLs in flight at once.
    var concurrency: Int
    /// The time from one start to the next; zero for none.
    var interval: Duration
}
