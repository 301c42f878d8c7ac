internal import Foundation

/// A response as it could be stored, if nobody minds.
struct CacheProposal: Sendable {
    let cached: CachedURLResponse
    let request: URLRequest
    let cache: URLCache

    /// Stores the response; or what somebody who was asked has made of it, `nil` for nothing.
    func store(_ answer: CachedURLResponse?) {
        guard let answer else { return }
        cache.keep(answer.recorded(like: cached), for: request)
    }
}
