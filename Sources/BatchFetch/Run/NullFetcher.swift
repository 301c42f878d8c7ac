import CurlResilience
import CurlTransport
import HTTPTypes
import Synchronization

/// A fetcher that answers every URL immediately, without a socket.
///
/// It measures the overhead of a run.
final class NullFetcher: Fetcher {
    /// The host that never answers; `nil` for none.
    private let silentHost: String?
    private let pending = Mutex<[@Sendable (AttemptOutcome) -> Void]>([])

    init(silentHost: String? = nil) {
        self.silentHost = silentHost
    }

    func start(
        _ target: FetchTarget,
        keepsConnection: Bool,
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
        outcome.failure = (BatchFailure(.cancelled, "the run ended"), .permanent)
        for completion in pending { completion(outcome) }
    }

    var receivedBytes: Int64 { 0 }
}

extension Batch {
    /// Like ``start(_:journal:skipping:)``, but answers each URL immediately without a request.
    ///
    /// - Parameter silentHost: A host that doesn't answer until the run is cancelled.
    package func dryRun(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        silentHost: String? = nil
    ) throws(BatchFailure) -> BatchRun {
        try start(input, journal: journal, fetcher: NullFetcher(silentHost: silentHost))
    }
}
