public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A cache of responses, in memory and on disk.
///
/// Responses are stored by method and URL, and by the request fields that the response names in
/// `Vary` (RFC 9111, 4.1). A response that isn't marked `public` answers only requests with the
/// same credentials as the original request. The caller decides whether a stored response may be
/// used: sessions follow RFC 9111 and the request's cache policy.
///
/// Sessions use the cache for data tasks with the method `GET`. Downloads into a file and responses
/// to uploads bypass it. A response that has neither a lifetime (`Cache-Control`, `Expires`) nor a
/// validator (`ETag`, `Last-Modified`) is stored only for requests with the policy
/// `returnCacheDataElseLoad`, because it would answer no other request, or if the delegate's
/// `willCacheResponse` stores it. A request with an unsafe method, by any kind of task, removes the
/// stored responses that it invalidates (RFC 9111, 4.4).
///
/// The least recently used responses are evicted first. A response that is larger than a twentieth
/// of a capacity isn't stored there.
///
/// Nothing is written to disk unless there is a directory and the disk capacity isn't 0. Several
/// processes on one machine may share the database in it, `Cache.db`, which is intact after a
/// crash. A damaged database, or one of an earlier version of this library, is renamed to
/// `Cache.db.damaged` and replaced. Each response has checksums: a response that has changed in the
/// file is removed, and the lookup is a miss. Responses are written soon after they are stored, on
/// the cache's own queue. If the disk fails, the cache behaves as if it were empty.
///
/// Every method may be called from any thread. Lookups may block on the disk.
open class URLCache: NSObject, @unchecked Sendable {
    private static let current = Mutex(
        URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
    )

    private let content: Content

    private struct Content: Sendable {
        let store: CacheStore
    }

    /// The cache that sessions use by default.
    ///
    /// Its own default is 4 MiB of memory and nothing on disk.
    open class var shared: URLCache {
        get { current.withLock { $0 } }
        set {
            // The old cache may close its file when it is released, so it is released outside of
            // the lock.
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
    ///   - memoryCapacity: The capacity in memory, in bytes.
    ///   - diskCapacity: The capacity on disk, in bytes.
    ///   - path: The directory of the database, created when it is needed. A relative path is
    ///     relative to the user's caches directory. With `nil` or an empty path, nothing is written
    ///     to disk.
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
    ///   - memoryCapacity: The capacity in memory, in bytes.
    ///   - diskCapacity: The capacity on disk, in bytes.
    ///   - directoryURL: The directory of the database, created when it is needed. With `nil`,
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

    /// The capacity in memory, in bytes. Reducing it evicts the least recently used responses.
    open var memoryCapacity: Int {
        get { store.memoryCapacity }
        set { store.memoryCapacity = newValue }
    }

    /// The capacity on disk, in bytes; 0 without a directory. Reducing it evicts the least recently
    /// used responses.
    open var diskCapacity: Int {
        get { store.disk?.capacity ?? 0 }
        set { store.disk?.capacity = max(0, newValue) }
    }

    /// The size of the responses in memory, in bytes. It includes bodies, URLs and fields.
    open var currentMemoryUsage: Int { store.memoryUsage }

    /// The size of the responses on disk, in bytes. The file may be larger.
    open var currentDiskUsage: Int { store.disk?.usage ?? 0 }

    /// The stored response for a request; `nil` if there is none.
    ///
    /// It may be of any age. A `HEAD` gets the response to a `GET`.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        store.lookUp(request)
    }

    /// Stores a response. It replaces the one that answers the request so far.
    ///
    /// Only the response's storage policy and size decide whether it is stored. Exceptions are
    /// responses to `HEAD`, which have no body, and responses that answer no later request because
    /// of `Vary: *`: they aren't stored.
    open func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for request: URLRequest
    ) {
        store.store(cachedResponse, for: request)
    }

    /// Removes the responses for the request's method and URL, in all variants.
    open func removeCachedResponse(for request: URLRequest) {
        store.remove(request)
    }

    /// Removes all responses. They are also gone from the disk when this returns.
    open func removeAllCachedResponses() {
        store.removeAll()
    }

    /// Removes the responses that were stored at a date or later.
    open func removeCachedResponses(since date: Date) {
        store.remove(since: date)
    }

    // MARK: By task

    /// Stores a response to a task's current request. That may follow a redirect.
    open func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for dataTask: DataTask
    ) {
        guard let request = dataTask.cacheableRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Looks up the stored response for a task's request.
    ///
    /// - Parameter completionHandler: Called before this returns, with `nil` if there is none.
    open func getCachedResponse(
        for dataTask: DataTask,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.cacheableRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Removes the stored responses for a task's request.
    open func removeCachedResponse(for dataTask: DataTask) {
        guard let request = dataTask.cacheableRequest else { return }
        removeCachedResponse(for: request)
    }
}

extension URLCache {
    /// Where a response may be stored.
    public enum StoragePolicy: UInt, Sendable {
        /// In memory and on disk.
        case allowed
        /// In memory alone.
        case allowedInMemoryOnly
        /// Nowhere.
        case notAllowed
    }
}
