public import Foundation
internal import Synchronization

/// Responses to requests, in memory and on disk, so that the same needn't be asked for again.
///
/// What is stored is found by method and URL, and by those fields of a request that the response names
/// in `Vary` (RFC 9111, 4.1). A response that isn't marked `public` answers only requests with the
/// credentials of the one that it came for. Whether what is found may be used is for whoever asks to
/// decide: sessions go by RFC 9111 and by the request's cache policy.
///
/// Sessions look up, and store, what data tasks load by `GET`; what is loaded into a file, and what
/// follows an upload, goes past the cache. A response that has neither a lifetime (`Cache-Control`,
/// `Expires`) nor something that its server could be asked about (`ETag`, `Last-Modified`) is stored only
/// for requests with the policy `returnCacheDataElseLoad`: no other would be answered with it. A
/// request that changes something at the server, by whatever task, removes what is stored of it
/// (RFC 9111, 4.4).
///
/// What wasn't used for longest makes room for what is new. A response that takes up more than a
/// twentieth of a capacity isn't stored there.
///
/// Nothing is written to disk unless a directory was given and the disk's capacity isn't 0. The
/// database that is kept there, `Cache.db`, may be shared by several processes on one machine, and is
/// whole after a crash; a broken one is renamed to `Cache.db.damaged`, and another begun. Responses are
/// written soon after they were stored, on a queue of the cache's own. Where the disk fails, the cache
/// is as good as empty.
///
/// Every method may be called from any thread. Those that look something up may wait for the disk.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLCache: NSObject, @unchecked Sendable {
    private static let current = Mutex(
        URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
    )

    private let content: Content

    private struct Content: Sendable {
        let store: CacheStore
    }

    /// The cache that sessions use unless their configurations have another one. Unless set, it has
    /// 4 MB of memory and writes nothing to disk.
    open class var shared: URLCache {
        get { current.withLock { $0 } }
        set {
            // The old one may close its file at its end: not under the lock.
            _ = current.withLock { current in
                let old = current
                current = newValue
                return old
            }
        }
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - memoryCapacity: How much is kept in memory, in bytes.
    ///   - diskCapacity: How much is kept on disk, in bytes.
    ///   - path: The folder for what is on disk, which is made when it is needed; a relative one lies
    ///     in the user's folder for caches. With `nil`, or an empty one, nothing is written to disk.
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
        content = Content(
            store: CacheStore(
                memoryCapacity: memoryCapacity,
                diskCapacity: diskCapacity,
                directory: path.flatMap { $0.isEmpty ? nil : Self.directory($0) }
            )
        )
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - memoryCapacity: How much is kept in memory, in bytes.
    ///   - diskCapacity: How much is kept on disk, in bytes.
    ///   - directoryURL: The folder for what is on disk, which is made when it is needed. With `nil`
    ///     nothing is written to disk.
    public convenience init(
        memoryCapacity: Int,
        diskCapacity: Int,
        directory directoryURL: URL? = nil
    ) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            diskPath: directoryURL?.path
        )
    }

    private static func directory(_ path: String) -> URL {
        if path.hasPrefix("/") { return URL(fileURLWithPath: path, isDirectory: true) }
        let files = FileManager.default
        let caches = files.urls(for: .cachesDirectory, in: .userDomainMask).first
        return (caches ?? files.temporaryDirectory)
            .appendingPathComponent(path, isDirectory: true)
    }

    var store: CacheStore { content.store }

    /// How much is kept in memory, in bytes. Setting less removes what was used least lately.
    open var memoryCapacity: Int {
        get { store.memoryCapacity }
        set { store.memoryCapacity = newValue }
    }

    /// How much is kept on disk, in bytes; 0 for a cache without a directory. Setting less removes
    /// what was used least lately.
    open var diskCapacity: Int {
        get { store.disk?.capacity ?? 0 }
        set { store.disk?.capacity = max(0, newValue) }
    }

    /// How much memory responses take up, in bytes: their bodies, URLs and fields.
    open var currentMemoryUsage: Int { store.memoryUsage }

    /// How much responses take up on disk, in bytes. The file may be larger.
    open var currentDiskUsage: Int { store.disk?.usage ?? 0 }

    /// What is stored for a request, however old it is; `nil` if there is nothing. A `HEAD` finds
    /// what is stored for a `GET`.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        store.lookUp(request)
    }

    /// Stores a response in the place of the one that the request is answered by so far.
    ///
    /// What is stored is decided by the response's storage policy and size alone. Not stored are
    /// responses to `HEAD`, which have no body, and those that answer no later request, as
    /// `Vary: *` says.
    open func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for request: URLRequest
    ) {
        store.store(cachedResponse, for: request)
    }

    /// Removes what is stored for the request's method and URL, whatever it varies with.
    open func removeCachedResponse(for request: URLRequest) {
        store.remove(request)
    }

    /// Removes everything. When this returns, it is gone from the disk too.
    open func removeAllCachedResponses() {
        store.removeAll()
    }

    /// Removes what was stored at `date` or later.
    open func removeCachedResponses(since date: Date) {
        store.remove(since: date)
    }

    // MARK: By task

    /// Stores a response to a task's request: the current one, which a redirect may have led to.
    open func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for dataTask: URLSessionDataTask
    ) {
        guard let request = dataTask.cacheableRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Looks up what is stored for a task's request.
    ///
    /// - Parameter completionHandler: Called before this returns; with `nil` for nothing.
    open func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.cacheableRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Removes what is stored for a task's request.
    open func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.cacheableRequest else { return }
        removeCachedResponse(for: request)
    }
}

extension URLSessionDataTask {
    /// What a response of this task is stored under: the request that it answers.
    fileprivate var cacheableRequest: URLRequest? { currentRequest ?? originalRequest }
}
