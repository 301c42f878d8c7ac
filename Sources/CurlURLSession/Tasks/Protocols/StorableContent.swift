internal import Foundation

/// Collects a protocol's response and body for the cache.
struct StorableContent: Sendable {
    private let response: URLResponse
    private let policy: URLCache.StoragePolicy
    private let limit: Int
    private var data = Data()

    /// Returns `nil` if the response must not be stored.
    ///
    /// The protocol's policy or HTTP's caching rules may forbid it.
    ///
    /// - Parameter limit: The size of the largest body to keep, in bytes.
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

    /// Appends data; returns false if the body exceeds the limit.
    mutating func append(_ piece: Data) -> Bool {
        guard piece.count <= limit - data.count else { return false }
        if data.isEmpty { data = piece } else { data.append(piece) }
        return true
    }

    /// The response in the cache's form.
    var cached: CachedURLResponse {
        CachedURLResponse(response: response, data: data, userInfo: nil, storagePolicy: policy)
    }
}
