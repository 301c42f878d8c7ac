internal import Foundation

/// What somebody attached to a cached response.
///
/// `@unchecked Sendable`: nothing here reads or changes the values; they are handed out as they were
/// handed in. Whoever attaches an object that changes answers for it, as the documentation of
/// `CachedURLResponse` says.
struct CachedUserInfo: @unchecked Sendable {
    let values: [AnyHashable: Any]
}
