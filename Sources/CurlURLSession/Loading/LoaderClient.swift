internal import CurlTransport
internal import Foundation

/// Who wants what a loader gets. Called on the loader's thread, which may be an event loop's: record and
/// return.
protocol LoaderClient: AnyObject, Sendable {
    /// So many bytes of the request's body were sent, of so many in all (nil: unknown).
    func loader(_ loader: any Loader, didSendBodyBytes sent: Int64, of expected: Int64?)

    /// The server presented its certificates, and the request waits for an answer.
    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision

    /// The loader asks for a credential itself, and waits for an answer: for loaders that follow no rules
    /// of HTTP.
    func loader(_ loader: any Loader, didReceive challenge: URLAuthenticationChallenge)

    /// The proxy has answered the request for a tunnel, before the server was asked for anything. The
    /// loader fails unless the status is 2xx, or another such head follows.
    func loader(_ loader: any Loader, didReceiveTunnelHead head: ResponseHead)

    /// The server has sent an informational head (1xx), and the response is yet to come.
    func loader(_ loader: any Loader, didReceiveInformational head: ResponseHead)

    /// The loader has been led to another request, which is to be loaded instead: for loaders that
    /// follow no rules of HTTP. What they say of the response that leads there isn't delivered.
    func loader(
        _ loader: any Loader,
        wasRedirectedTo request: URLRequest,
        by response: URLResponse
    )

    /// The response, without its content.
    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision

    /// Bytes of the response's content, decoded. They are gone when the method returns.
    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision

    /// So many bytes have come of content that is decoded, as they are encoded. Told behind what was made
    /// of them.
    func loader(_ loader: any Loader, didReceiveEncodedBytes received: Int64)

    /// All content has come of a response that could be stored. Told just before the end.
    func loader(_ loader: any Loader, didCollect proposal: CacheProposal)

    /// A batch is over, and the loader isn't.
    func loaderDidEndTurn(_ loader: any Loader)

    /// The loader is over. A batch that it ends with is over with ``loaderDidCompleteTurn(_:)``.
    func loader(_ loader: any Loader, didEndWith outcome: LoadOutcome)

    /// The last batch is over: the moment to wake who waits.
    func loaderDidCompleteTurn(_ loader: any Loader)
}

extension LoaderClient {
    /// Nobody wants to know.
    func loader(_ loader: any Loader, didReceiveInformational head: ResponseHead) {}

    /// Nobody wants to know.
    func loader(_ loader: any Loader, didReceiveEncodedBytes received: Int64) {}

    /// Nobody is there to be asked, and the loader does what is usual.
    func loader(_ loader: any Loader, didReceive challenge: URLAuthenticationChallenge) {
        loader.answer(challenge, .performDefaultHandling, nil)
    }
}
