internal import CurlTransport
internal import Dispatch
internal import Foundation

/// Who loads something again for the cache alone, in the background (RFC 5861, 3).
///
/// Nobody is asked anything: where the server redirects or wants to know who asks, what is stored stays
/// as it is.
final class CacheRenewal: LoaderClient {
    private let key: CacheKey
    private let request: URLRequest
    private let cache: URLCache
    private let settings: SessionSettings

    /// Of what is stored under `key`, where it was noted that this is under way.
    init(of key: CacheKey, _ request: URLRequest, cache: URLCache, settings: SessionSettings) {
        self.key = key
        self.request = request
        self.cache = cache
        self.settings = settings
    }

    func loader(_ loader: any Loader, didSendBodyBytes sent: Int64, of expected: Int64?) {}

    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision {
        .useVerdict
    }

    func loader(_ loader: any Loader, didReceiveTunnelHead head: ResponseHead) {}

    func loader(
        _ loader: any Loader,
        wasRedirectedTo request: URLRequest,
        by response: URLResponse
    ) {}

    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision {
        if let cookies = ReceivedCookies(of: response, to: request, settings: settings) {
            // Perhaps from the disk and back to it.
            SessionCore.work.async { cookies.store() }
        }
        return .proceed
    }

    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision {
        .proceed
    }

    func loader(_ loader: any Loader, didCollect proposal: CacheProposal) {
        proposal.store(proposal.cached)
    }

    func loaderDidEndTurn(_ loader: any Loader) {}

    func loader(_ loader: any Loader, didEndWith outcome: LoadOutcome) {
        cache.store.endRenewal(of: key)
    }

    func loaderDidCompleteTurn(_ loader: any Loader) {}
}
