import CurlResilience
import CurlTransport
import HTTPTypes
import Posix

/// Chooses the sink for a response's body from its head and request; `nil` for none.
typealias SinkMaker =
    @Sendable (_ head: ResponseHead, _ request: HTTPRequest) -> (any BodySink)?

/// Makes single attempts: the transport, or a stand-in for tests.
protocol Fetcher: Sendable {
    /// Starts an attempt and returns.
    ///
    /// The fetcher calls `sink` to get the destination of the body, and `completion` once, on any
    /// thread, possibly before this method returns.
    ///
    /// - Parameter keepsConnection: Whether the connection stays open after the attempt.
    func start(
        _ target: FetchTarget,
        keepsConnection: Bool,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    )

    /// Cancels all attempts in flight and starts no more: attempts fail as cancelled.
    func cancelAll()

    /// Saves what outlasts the run, after its last attempt. Blocks.
    ///
    /// Returns the failure; `nil` for none.
    func finish() -> BatchFailure?

    /// The time before which no attempt should start; `nil` for none.
    ///
    /// It is set while the bandwidth limit is exceeded.
    var behindUntil: MonotonicTime? { get }

    /// The received bytes of bodies so far, including unfinished attempts.
    var receivedBytes: Int64 { get }

    /// The large bodies in flight.
    var largeBodies: LargeBodyProgress { get }
}

extension Fetcher {
    func finish() -> BatchFailure? { nil }

    var behindUntil: MonotonicTime? { nil }
    var largeBodies: LargeBodyProgress { LargeBodyProgress() }
}

/// A fetcher for dry runs, which fetches nothing.
struct NoFetcher: Fetcher {
    func start(
        _ target: FetchTarget,
        keepsConnection: Bool,
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
