internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// A program's subclass of `URLCache` that records calls.
final class RecordingCache: URLCache, @unchecked Sendable {
    /// The paths that were looked up, and the bodies that were stored.
    let lookUps = Watched<[String]>([])
    let stored = Watched<[String]>([])
    /// The response that is returned instead of the stored one.
    let canned = Watched<CachedURLResponse?>(nil)

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        lookUps.update { $0.append(request.url?.path ?? "") }
        return canned.read { $0 } ?? super.cachedResponse(for: request)
    }

    override func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for request: URLRequest
    ) {
        super.storeCachedResponse(cachedResponse, for: request)
        stored.update { $0.append(String(decoding: cachedResponse.data, as: UTF8.self)) }
    }
}
