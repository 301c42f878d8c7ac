import CurlTransport
import HTTPTypes
import Synchronization

/// Answers every URL at once with nothing, without a socket: for measuring what a run itself costs.
final class NullFetcher: Fetcher {
    /// The host that never answers.
    private let silentHost: String?
    private let pending = Mutex<[@Sendable (AttemptOutcome) -> Void]>([])

    init(silentHost: String? = nil) {
        self.silentHost = silentHost
    }

    func start(
        _ target: FetchTarget,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        guard target.host == silentHost else {
            return completion(AttemptOutcome(finalURL: target.url, status: 200))
        }
        pending.withLock { $0.append(completion) }
    }

    func cancelAll() {
        let pending = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        var outcome = AttemptOutcome()
        outcome.failure = (BatchFailure(.cancelled, "the run was ended"), .permanent)
        for completion in pending { completion(outcome) }
    }

    var receivedBytes: Int64 { 0 }
}

extension Batch {
    /// As ``start(_:journal:skipping:)``, where each URL is answered at once and nothing is asked for.
    ///
    /// - Parameter silentHost: A host that doesn't answer until the run is cancelled.
    package func rehearse(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        silentHost: String? = nil
    ) throws(BatchFailure) -> BatchRun {
        try start(input, journal: journal, fetcher: NullFetcher(silentHost: silentHost))
    }
}
