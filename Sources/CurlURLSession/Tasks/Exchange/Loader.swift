internal import CurlTransport
internal import Foundation

/// Loads the response to one request, from the network or another source.
///
/// A task has one loader at a time. A followed redirect and a retry with credentials each use a new
/// loader. Every method may be called on any thread at any time, and returns at once.
///
/// A loader calls its client serially, on the loader's own thread, with no lock held: progress and
/// questions, a response, its body, and finally exactly one end, also after a cancellation. After
/// each batch of these calls it reports the end of the batch; the client acts then.
protocol Loader: AnyObject, Sendable {
    /// Starts the load. Called once.
    func start()

    /// Cancels the load as soon as possible.
    func cancel()

    /// Pauses or resumes the flow of bytes.
    ///
    /// - Parameters:
    ///   - receiving: Whether the client accepts bytes of the response.
    ///   - sending: Whether bytes of the request's body may be sent.
    func allow(receiving: Bool, sending: Bool)

    /// Schedules ``LoadEvent/idle``, for when no more bytes are ready.
    ///
    /// Called on the loader's thread, in ``LoadEvent/endOfTurn``.
    ///
    /// - Parameter mayPause: Whether the client can also wait until no more bytes have arrived for
    ///   a millisecond.
    /// - Returns: False if the loader never sends that event.
    func notifyWhenIdle(mayPause: Bool) -> Bool

    /// Answers a server trust evaluation that the client had deferred with `later`.
    func answer(trust decision: TrustDecision)

    /// Answers a challenge that the loader has passed to the client.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    )
}

extension Loader {
    /// Returns false: this loader doesn't know when bytes follow.
    func notifyWhenIdle(mayPause: Bool) -> Bool { false }

    /// Does nothing: this loader never evaluates server trust.
    func answer(trust decision: TrustDecision) {}

    /// Does nothing: this loader never issues challenges.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {}
}

/// Receives the events of a loader.
///
/// Every method is called on the loader's thread, which may be an event loop's: record the event
/// and return.
protocol LoaderClient: AnyObject, Sendable {
    func loader(_ loader: any Loader, didReceive event: LoadEvent)

    /// The server presented its certificates. The request waits for the decision.
    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision

    /// Delivers the response without its body.
    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision

    /// Delivers decoded bytes of the body. They are only valid during the call.
    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision

    /// Returns all bytes of the body so far, if the client keeps them itself; otherwise `nil`.
    ///
    /// A cache stores them, instead of a copy of its own. A client that has returned bytes after
    /// the response does so until the end.
    func collectedBody(from loader: any Loader) -> Data?
}

extension LoaderClient {
    /// Returns `nil`: the client doesn't keep the body.
    func collectedBody(from loader: any Loader) -> Data? { nil }
}

/// An event of a loader that its client doesn't decide about at once.
enum LoadEvent: Sendable {
    /// The number of bytes of the request's body that were sent, and the total (`nil` if unknown).
    case sentBodyBytes(Int64, of: Int64?)

    /// The loader needs a credential and waits for the answer. Only of loaders that don't follow
    /// HTTP's rules.
    case challenge(URLAuthenticationChallenge)

    /// The proxy responded to the `CONNECT` request. The server hasn't been asked for anything yet.
    /// The loader fails unless the status is 2xx or another such head follows.
    case tunnelHead(ResponseHead)

    /// The server sent an informational head (1xx). The final response follows.
    case informationalHead(ResponseHead)

    /// The loader was redirected; the client must load the request instead. Only of loaders that
    /// don't follow HTTP's rules. The redirecting response itself isn't delivered.
    case redirect(URLRequest, by: URLResponse)

    /// The number of encoded bytes received so far of a decoded body. Follows the delivery of the
    /// bytes decoded from them.
    case encodedBytes(Int64)

    /// The complete body of a storable response has arrived. Comes just before the end.
    case proposal(CacheProposal)

    /// A batch of events has ended, and the loader continues.
    case endOfTurn

    /// No more bytes are ready, after a turn whose client has asked for this event.
    case idle

    /// The loader has ended. ``endOfLastTurn`` ends its last batch.
    case end(LoadOutcome)

    /// The last batch has ended. Wake waiting threads and tasks now.
    case endOfLastTurn
}

/// How a loader ended.
struct LoadOutcome: Sendable {
    enum Failure: Sendable {
        case transport(TransportError)
        case other(any Error)
    }

    /// `nil` on success.
    var failure: Failure?
    /// The transfer's measurements; `nil` if nothing went over the network.
    var metrics: TransferMetrics?
    /// The origin's first response, if the request had to be sent again.
    var former: Answer?

    /// A response that isn't delivered, and its measurements.
    struct Answer: Sendable {
        let head: ResponseHead
        let metrics: TransferMetrics
    }
}
