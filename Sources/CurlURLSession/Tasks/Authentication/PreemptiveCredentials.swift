internal import CurlTransport
internal import Foundation
internal import Synchronization

/// Records which servers and proxies have accepted a session's Basic credentials.
///
/// Later requests send the credentials without a challenge. Only protection spaces are recorded:
/// the credentials are in the session's storage.
final class PreemptiveCredentials: Sendable {
    private struct State {
        var paths = ProtectedPaths()
        /// Keyed by `host:port`.
        var proxies: [String: URLProtectionSpace] = [:]
    }

    private let state = Mutex(State())
    /// Whether anything was ever recorded. Nearly all sessions skip the lock because of it.
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
