internal import Foundation

/// A protocol's response, with its content as it comes, that may be stored in a cache.
struct StorableContent: Sendable {
    private let response: URLResponse
    private let policy: URLCache.StoragePolicy
    private let limit: Int
    private var data = Data()

    /// `nil` where the response isn't to be stored: the protocol doesn't want it, or the rules for
    /// responses of HTTP forbid it.
    ///
    /// - Parameter limit: How many bytes are worth keeping.
    init?(
        _ response: URLResponse,
        _ policy: URLCache.StoragePolicy,
        to request: URLRequest,
        limit: Int
    ) {
        guard policy != .notAllowed, limit > 0 else { return nil }
        let request = CacheableRequest(request)
        if let response = response as? HTTPURLResponse {
            guard CacheRules.mayStore(response, for: request) else { return nil }
        } else {
            guard request.method == "GET", !request.hasBody else { return nil }
        }
        (self.response, self.policy, self.limit) = (response, policy, limit)
    }

    /// False where there is too much of it.
    mutating func append(_ piece: Data) -> Bool {
        guard piece.count <= limit - data.count else { return false }
        if data.isEmpty { data = piece } else { data.append(piece) }
        return true
    }

    /// As a cache keeps it.
    var cached: CachedURLResponse {
        CachedURLResponse(response: response, data: data, userInfo: nil, storagePolicy: policy)
    }
}
