import CurlTransport
import HTTPTypes

/// Answers every URL at once with nothing, without a socket: for measuring what a run itself costs.
struct NullFetcher: Fetcher {
    func start(
        _ target: FetchTarget,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        completion(AttemptOutcome(finalURL: target.url, status: 200))
    }

    func cancelAll() {}

    var receivedBytes: Int64 { 0 }
}

extension Batch {
    /// As ``start(_:journal:skipping:)``, where each URL is answered at once and nothing is asked for.
    package func rehearse(
        _ input: BatchInput,
        journal: BatchJournal? = nil
    ) throws(BatchFailure) -> BatchRun {
        try start(input, journal: journal, fetcher: NullFetcher())
    }
}
