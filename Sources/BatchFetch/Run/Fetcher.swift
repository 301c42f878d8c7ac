import Curl
import CurlTransport
import HTTPTypes

/// Says where the body of a response goes, of its head and the request that it answers; `nil` for
/// nowhere.
typealias SinkMaker =
    @Sendable (_ head: ResponseHead, _ request: HTTPRequest) -> (any BodySink)?

/// Makes single attempts: the transport, or a test's stand-in.
protocol Fetcher: Sendable {
    /// Starts an attempt and returns. `sink` is asked where the body goes; `completion` is called once, on any thread,
    /// perhaps before this returns.
    func start(
        _ target: FetchTarget,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    )

    /// Ends what runs, and starts nothing any more: attempts fail as cancelled.
    func cancelAll()

    /// Until when nothing should be started, because more has come than may in the time; `nil` for no
    /// such time.
    var behindUntil: MonotonicTime? { get }

    /// Bytes of bodies received so far, those of unfinished attempts included.
    var receivedBytes: Int64 { get }
}

extension Fetcher {
    var behindUntil: MonotonicTime? { nil }
}
