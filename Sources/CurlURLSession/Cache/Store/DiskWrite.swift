internal import Foundation

/// A change of what is on disk, which is made when its turn comes.
enum DiskWrite: Sendable {
    /// Stores a response in the place of those that the request is answered by so far.
    case store(CachedURLResponse, for: URLRequest, CacheKey, Date)
    /// Removes what the request is answered by, as the response that came for it isn't stored.
    case supersede(URLRequest, CacheKey)
    /// Notes that what answers the request is used.
    case touch(URLRequest, CacheKey, Date)
    /// Removes what is stored for a URL, under one method or all.
    case remove(url: String, method: String?)
    case removeSince(Date)

    /// How many bytes wait with it.
    var size: Int {
        if case .store(let cached, _, _, _) = self { cached.data.count } else { 0 }
    }

    var isStore: Bool {
        if case .store = self { true } else { false }
    }

    /// What has to be done in any case: what a response would take the place of isn't used any more,
    /// be the response stored or not.
    var duty: DiskWrite? {
        switch self {
        case .store(_, for: let request, let key, _): .supersede(request, key)
        case .touch: nil
        case .supersede, .remove, .removeSince: self
        }
    }
}
