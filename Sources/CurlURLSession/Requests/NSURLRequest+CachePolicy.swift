extension NSURLRequest {
    /// How a request uses what is cached.
    public enum CachePolicy: UInt, Sendable {
        /// By the rules of the protocol: for HTTP those of RFC 9111. The default.
        case useProtocolCachePolicy
        /// Always from the origin; what is cached here isn't used.
        case reloadIgnoringLocalCacheData
        /// Always from the origin, and caches on the way are told not to answer either.
        case reloadIgnoringLocalAndRemoteCacheData
        /// From the cache however old it is, and from the origin where nothing is cached.
        case returnCacheDataElseLoad
        /// From the cache however old it is; an error where nothing is cached. Nothing is sent.
        case returnCacheDataDontLoad
        /// From the cache if the origin confirms it, else from the origin.
        case reloadRevalidatingCacheData

        /// The older name of ``reloadIgnoringLocalCacheData``.
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }
}
