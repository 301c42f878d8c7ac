internal import CurlTransport
internal import Foundation

/// A response from the cache, without its content.
struct CachedHead: Sendable {
    let response: URLResponse
    /// What the origin answered when it was asked about it: that it still holds, or that it can't say;
    /// `nil` where it wasn't asked.
    var confirmation: ResponseHead?
}
