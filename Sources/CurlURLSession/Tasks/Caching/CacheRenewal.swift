internal import CurlTransport
internal import Dispatch
internal import Foundation

/// Updates a stored response in the background (RFC 5861, 3).
///
/// It never calls the delegate. If the server redirects or requires authentication, the stored
/// response stays unchanged.
final class CacheRenewal: LoaderClient {
    private let key: CacheKey
    private let request: URLRequest
    private let cache: URLCache
    private let settings: SessionSettings

    /// - Parameter key: The cache key of the stored response. The cache's store has already
    ///   recorded that this renewal runs.
    init(of key: CacheKey, _ request: URLRequest, cache: URLCache, settings: SessionSettings) {
        self.key = key
        self.request = request
        self.cache = cache
        self.settings = settings
    }

    func loader(_ loader: any Loader, didReceive event: LoadEvent) {
        switch event {
        case .proposal(let proposal): proposal.store(proposal.cached)
        case .end: cache.store.endRenewal(of: key)
        // No delegate can be asked.
        case .challenge(let challenge): loader.answer(challenge, .performDefaultHandling, nil)
        case .sentBodyBytes, .tunnelHead, .informationalHead, .redirect, .encodedBytes, .endOfTurn,
            .idle, .endOfLastTurn:
            break
        }
    }

    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision {
        .performDefaultHandling
    }

    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision {
        if let cookies = ReceivedCookies(of: response, to: request, settings: settings) {
            // Storing cookies may read and write the disk.
            SessionCore.work.async { cookies.store() }
        }
        return .proceed
    }

    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision {
        .proceed
    }
}
