internal import Dispatch
internal import Foundation

/// The cache's methods for loading, for all threads, including loop threads.
///
/// Except for ``flush()``, they wait neither for the disk nor for the code of a subclass.
extension URLCache {
    /// Whether the methods of a subclass have to be called instead.
    private var isSubclass: Bool { type(of: self) != URLCache.self }

    /// Whether nothing is stored. It is `false` if the disk or a subclass would have to be asked.
    var isEmptyForSure: Bool { !isSubclass && store.isEmptyForSure }

    /// Looks up the response for a request with all fields that are sent.
    ///
    /// Calls `then` before returning if the response is in memory, or if there is no disk.
    /// Otherwise calls it later on the cache's queue, which `then` must not block.
    func lookUp(
        _ request: URLRequest,
        then: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard !isSubclass else {
            store.queue.async { then(self.cachedResponse(for: request)) }
            return
        }
        switch store.glance(request) {
        case .found(let cached): then(cached)
        case .nothing: then(nil)
        case .unknown: store.queue.async { then(self.store.read(request)) }
        }
    }

    /// Applies the effect of an origin's response. A collected body has no effect yet.
    func apply(_ effect: CacheEffect, for request: URLRequest) {
        switch effect {
        case .none, .keepBody:
            break
        case .store(let cached):
            keep(cached, for: request)
        case .remove(let urls), .offerBody(removing: let urls):
            for url in urls { forget(url) }
        }
    }

    /// Stores a response that passed `willCacheResponse`.
    func keep(_ cached: CachedURLResponse, for request: URLRequest) {
        var request = request
        // The response to a HEAD updates the stored response to a GET.
        if request.httpMethod == "HEAD" { request.httpMethod = "GET" }
        guard isSubclass else { return store.store(cached, for: request) }
        store.queue.async { [request] in self.storeCachedResponse(cached, for: request) }
    }

    private func forget(_ url: URL) {
        guard isSubclass else { return store.remove(url) }
        store.queue.async { self.removeCachedResponse(for: URLRequest(url: url)) }
    }

    /// The largest body worth collecting, in bytes. The limit of a subclass is unknown: it is
    /// offered bodies up to the fixed limit of the disk cache.
    var largestBody: Int { isSubclass ? DiskCache.largestBody : store.largestBody }

    /// Blocks until the stored responses are on disk.
    func flush() {
        store.disk?.flush()
    }

    /// Writes the stored responses to the disk.
    ///
    /// - Parameter then: Called when they are written: before this returns if there is no disk,
    ///   otherwise on the cache's queue.
    func flush(then: @escaping @Sendable () -> Void) {
        guard isSubclass || store.disk != nil else { return then() }
        store.queue.async {
            self.flush()
            then()
        }
    }
}
