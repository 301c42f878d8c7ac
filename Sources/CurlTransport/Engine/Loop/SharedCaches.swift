internal import Curl
internal import Posix

/// One of libcurl's caches for resolved names and TLS sessions, which transfers of a loop share.
final class SharedCache {
    let handle: ShareHandle

    init() throws(CurlCode) {
        handle = try ShareHandle()
    }
}

/// The caches of a loop for resolved names and TLS sessions.
///
/// After each transfer, libcurl compares the age of all names in the transfer's cache with the
/// lifetime that the transfer has set. In one cache for all names, a transfer would cost more with
/// each host of the last minute. So each name has one of ``nameCount`` caches.
///
/// libcurl stores addresses like names, though they need no lookup. In their own cache, with a
/// lifetime of zero, the next transfer removes them, and no names.
struct SharedCaches {
    // Measured with libcurl 7.88.1: with 10,000 hosts in one cache, a request costs 250 µs of CPU
    // time more than with 1,000; an entry costs up to 0.1 µs. More caches would cost memory instead:
    // each holds eight TLS sessions, or more with newer versions.

    /// Where a transfer's host is cached.
    enum Place: Equatable {
        /// The host is an address, or no lookup is needed for another reason.
        case addresses
        /// The options have addresses of their own, which expire like names.
        case overrides
        /// The host has a name with this hash.
        case name(UInt64)

        fileprivate var index: Int {
            switch self {
            case .addresses: 0
            case .overrides: 1
            case .name(let hash): 2 + Int(hash % UInt64(SharedCaches.nameCount))
            }
        }
    }

    /// The number of caches for names.
    static let nameCount = 64

    /// Created when they are used for the first time.
    private var caches: [SharedCache?] = []

    /// The cache for `place`.
    mutating func cache(for place: Place) throws(CurlCode) -> SharedCache {
        if caches.isEmpty { caches = Array(repeating: nil, count: 2 + Self.nameCount) }
        if let known = caches[place.index] { return known }
        let created = try SharedCache()
        caches[place.index] = created
        return created
    }
}

extension PreparedOptions {
    /// Where libcurl caches the addresses of `endpoint`, and its TLS sessions.
    ///
    /// With a proxy, it is the proxy's name that is resolved.
    func cachePlace(of endpoint: Endpoint) -> SharedCaches.Place {
        guard resolve.isEmpty else { return .overrides }
        // Another host to connect to may have a name.
        guard needsLookup(of: endpoint) || !connectTo.isEmpty else { return .addresses }
        guard usesProxy(isSecure: endpoint.isSecure) else { return .name(endpoint.hostHash) }
        return .name(FNV1a.hash(of: route))
    }
}

@available(*, unavailable)
extension SharedCache: Sendable {}
