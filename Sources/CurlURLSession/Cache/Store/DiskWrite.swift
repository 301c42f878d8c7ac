internal import Foundation

/// A pending change of the responses on disk.
enum DiskWrite: Sendable {
    /// Stores a response, and replaces those that answer the request so far.
    case store(CachedURLResponse, for: URLRequest, CacheKey, Date)
    /// Removes the responses that answer the request, because the new response isn't stored.
    case supersede(URLRequest, CacheKey)
    /// Records that the response to the request was used.
    case touch(URLRequest, CacheKey, Date)
    /// Removes the responses for a URL, for one method or for all.
    case remove(url: String, method: String?)
    case removeSince(Date)

    /// The number of pending bytes.
    var size: Int {
        if case .store(let cached, _, _, _) = self { cached.data.count } else { 0 }
    }

    var isStore: Bool {
        if case .store = self { true } else { false }
    }

    /// The part of the change that is always needed. The replaced responses are outdated, even if
    /// the new one isn't stored.
    var duty: DiskWrite? {
        switch self {
        case .store(_, for: let request, let key, _): .supersede(request, key)
        case .touch: nil
        case .supersede, .remove, .removeSince: self
        }
    }
}
