internal import CurlTransport
internal import Foundation
internal import Synchronization

/// Where servers and proxies have accepted credentials of a session by Basic, so that the next request
/// brings them along unasked.
///
/// It knows protection spaces alone: the credentials are those in the session's storage.
final class KnownProtection: Sendable {
    private struct State {
        var paths = ProtectedPaths()
        /// By host and port.
        var proxies: [String: URLProtectionSpace] = [:]
    }

    private let state = Mutex(State())
    /// Nearly all sessions have nothing to look for.
    private let isUsed = Atomic(false)

    var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

    func note(_ space: URLProtectionSpace, at url: URL) {
        isUsed.store(true, ordering: .relaxed)
        state.withLock { state in
            if space.isProxy() {
                state.proxies["\(space.host):\(space.port)"] = space
            } else {
                state.paths.note(space, at: url)
            }
        }
    }

    func forget(_ space: URLProtectionSpace, at url: URL) {
        state.withLock { state in
            if space.isProxy() {
                state.proxies["\(space.host):\(space.port)"] = nil
            } else {
                state.paths.forget(space, at: url)
            }
        }
    }

    func space(of url: URL) -> URLProtectionSpace? {
        state.withLock { $0.paths.space(of: url) }
    }

    func space(of proxy: ProxyServer) -> URLProtectionSpace? {
        state.withLock { $0.proxies["\(proxy.host):\(proxy.port)"] }
    }
}
