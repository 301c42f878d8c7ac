internal import Foundation

/// What a response from the origin does to the cache.
enum CacheEffect: Sendable {
    /// Nothing.
    case none
    /// The body is collected and then stored: `CacheTransaction.finished(body:)` says as what.
    case keepBody
    /// This is stored in the place of what was found. Nobody is asked first: it was stored before,
    /// and only its fields are newer.
    case store(CachedURLResponse)
    /// What is stored for these URLs is removed.
    case remove([URL])
}
