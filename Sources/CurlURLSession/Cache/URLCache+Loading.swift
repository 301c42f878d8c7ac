internal import Dispatch
internal import Foundation

/// What loading asks of a cache, from any thread, a loop's too: nothing here waits for the disk or
/// for the code of a subclass.
extension URLCache {
    /// A subclass does all of this by its own methods.
    private var isSubclass: Bool { type(of: self) != URLCache.self }

    /// Whether nothing is stored, as far as is known without asking anybody.
    var isEmptyForSure: Bool { !isSubclass && store.isEmptyForSure }

    /// Looks for what is stored for a request, with the fields that it is sent with.
    ///
    /// `then` is called before this returns where it is in memory, or nowhere because there is no
    /// disk; else later, on the cache's queue, which it mustn't hold up.
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

    /// Does to the cache what a response from the origin says. For `keepBody` that is nothing yet.
    func apply(_ effect: CacheEffect, for request: URLRequest) {
        switch effect {
        case .none, .keepBody:
            break
        case .store(let cached):
            keep(cached, for: request)
        case .remove(let urls):
            for url in urls { forget(url) }
        }
    }

    /// Stores what `willCacheResponse` let through.
    func keep(_ cached: CachedURLResponse, for request: URLRequest) {
        var request = request
        // What the answer to a HEAD renews is what answers a GET.
        if request.httpMethod == "HEAD" { request.httpMethod = "GET" }
        guard isSubclass else { return store.store(cached, for: request) }
        store.queue.async { [request] in self.storeCachedResponse(cached, for: request) }
    }

    private func forget(_ url: URL) {
        guard isSubclass else { return store.remove(url) }
        store.queue.async { self.removeCachedResponse(for: URLRequest(url: url)) }
    }

    /// The size of a body, in bytes, above which it isn't worth keeping for the cache. What a subclass
    /// would take isn't known: it is offered what a cache without another bound takes.
    var largestBody: Int { isSubclass ? DiskCache.largestBody : store.largestBody }

    /// Waits until what was stored is on disk.
    func flush() {
        store.disk?.flush()
    }

    /// Has what was stored written to the disk.
    ///
    /// - Parameter then: Called when it is there: before this returns where there is no disk, else on
    ///   the cache's queue.
    func flush(then: @escaping @Sendable () -> Void) {
        guard isSubclass || store.disk != nil else { return then() }
        store.queue.async {
            self.flush()
            then()
        }
    }
}
