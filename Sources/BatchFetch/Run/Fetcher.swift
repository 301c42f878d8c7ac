/// Makes single attempts: the transport, or a test's stand-in.
protocol Fetcher: Sendable {
    /// Starts an attempt and returns. `sink` is asked for where a body is to be kept; `completion`
    /// is called once, on any thread, perhaps before this returns.
    func start(
        _ target: FetchTarget,
        sink: @escaping @Sendable () -> any BodySink,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    )

    /// Ends what runs, and starts nothing any more: attempts fail as cancelled.
    func cancelAll()

    /// Bytes of bodies received so far, those of unfinished attempts included.
    var receivedBytes: Int64 { get }
}
