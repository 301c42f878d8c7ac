/// A response from the cache, as it is handed to the program.
struct CacheAnswer: Sendable {
    /// The response and its body. An `Age` says how old it is, unless the origin has just confirmed
    /// it.
    let cached: CachedURLResponse
    /// Whether it is older than it should be.
    let isStale: Bool
    /// Whether the request is to be sent in the background, for the cache alone, by the policy
    /// `reloadRevalidatingCacheData`.
    let isToBeRenewed: Bool

    init(_ cached: CachedURLResponse, isStale: Bool = false, isToBeRenewed: Bool = false) {
        self.cached = cached
        self.isStale = isStale
        self.isToBeRenewed = isToBeRenewed
    }
}
