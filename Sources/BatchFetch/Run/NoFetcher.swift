/// Fetches nothing: for runs that only plan.
struct NoFetcher: Fetcher {
    func start(
        _ target: FetchTarget,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        var outcome = AttemptOutcome()
        outcome.failure = (BatchFailure(.cancelled, "nothing is fetched"), .permanent)
        completion(outcome)
    }

    func cancelAll() {}

    var receivedBytes: Int64 { 0 }
}
