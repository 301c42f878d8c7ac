internal import Dispatch
internal import Foundation
internal import Synchronization

/// The responses of a cache, in memory and optionally on disk.
final class CacheStore: Sendable {
    private struct State: Sendable {
        var memory: MemoryCache
        /// The disk reads in progress, by URL.
        var reading: [String: Reading] = [:]
        /// The keys of the responses that are renewed in the background.
        var renewed: Set<CacheKey> = []
    }

    private struct Reading: Sendable {
        var count = 0
        /// Whether the stored response has changed since, so that the read may be outdated.
        var isOutdated = false
    }

    /// The result of a lookup that doesn't wait for the disk.
    enum Glance: Sendable {
        case found(CachedURLResponse)
        case nothing
        /// The response may be on disk.
        case unknown
    }

    let disk: DiskCache?
    /// The queue for disk access and for the methods of subclasses.
    let queue: DispatchQueue
    let clock = CacheClock()
    private let state: Mutex<State>

    /// Capacities are in bytes. Without a directory, nothing is stored on disk.
    init(memoryCapacity: Int, diskCapacity: Int, directory: URL?) {
        let queue = DispatchQueue(label: "curl-session-cache", qos: .utility)
        let clock = clock
        self.queue = queue
        state = Mutex(State(memory: MemoryCache(capacity: max(0, memoryCapacity))))
        disk = directory.map {
            DiskCache(directory: $0, capacity: max(0, diskCapacity), queue: queue, clock: clock)
        }
    }

    /// In bytes.
    var memoryCapacity: Int {
        get { state.withLock { $0.memory.capacity } }
        set { state.withLock { $0.memory.capacity = max(0, newValue) } }
    }

    /// In bytes.
    var memoryUsage: Int { state.withLock { $0.memory.usage } }

    /// The largest body that is stored, in bytes.
    var largestBody: Int { max(memoryCapacity / 20, disk?.largest ?? 0) }

    /// Whether nothing is stored; `false` if the disk may contain something.
    var isEmptyForSure: Bool {
        (disk.map { $0.capacity == 0 } ?? true) && state.withLock { $0.memory.isEmpty }
    }

    // MARK: - Renewing

    /// Records that a renewal of a key starts. Returns `false` if one is in progress.
    func beginRenewal(of key: CacheKey) -> Bool {
        state.withLock { $0.renewed.insert(key).inserted }
    }

    func endRenewal(of key: CacheKey) {
        state.withLock { state in _ = state.renewed.remove(key) }
    }

    // MARK: - Looking up

    /// Looks in memory only. Doesn't block.
    func glance(_ request: URLRequest) -> Glance {
        let time = clock.now
        let found = state.withLock { state -> MemoryCache.Found? in
            guard !state.memory.isEmpty, let key = CacheKey(request) else { return nil }
            return state.memory.response(for: request, key, at: time)
        }
        guard let found else { return disk.map { $0.capacity > 0 } ?? false ? .unknown : .nothing }
        if found.needsDiskUpdate, let key = CacheKey(request) {
            disk?.write(.touch(request, key, time))
        }
        return .found(found.cached)
    }

    /// Looks in memory and on disk. May block.
    func lookUp(_ request: URLRequest) -> CachedURLResponse? {
        switch glance(request) {
        case .found(let cached): cached
        case .nothing: nil
        case .unknown: read(request)
        }
    }

    /// Looks on disk, and stores a found response in memory. May block.
    func read(_ request: URLRequest) -> CachedURLResponse? {
        guard let disk, let key = CacheKey(request) else { return nil }
        state.withLock { $0.reading[key.url, default: Reading()].count += 1 }
        let cached = disk.response(for: request, key)
        let time = clock.now
        state.withLock { state in
            let isOutdated = state.reading[key.url]?.isOutdated ?? true
            state.reading[key.url]?.count -= 1
            if state.reading[key.url]?.count == 0 { state.reading[key.url] = nil }
            guard let cached, !isOutdated else { return }
            state.memory.store(cached, for: request, key, at: time)
        }
        return cached
    }

    // MARK: - Changing

    /// Stores a response, and replaces those that answer the request so far. A response without a
    /// record counts as just arrived.
    func store(_ cached: CachedURLResponse, for request: URLRequest) {
        guard request.httpMethod != "HEAD", cached.storagePolicy != .notAllowed,
            let key = CacheKey(request), let stored = recorded(cached, for: request)
        else { return }
        let time = clock.now
        state.withLock { state in
            state.reading[key.url]?.isOutdated = true
            state.memory.store(stored, for: request, key, at: time)
        }
        guard let disk else { return }
        let isWritten = stored.storagePolicy == .allowed && stored.data.count <= disk.largest
        disk.write(
            isWritten ? .store(stored, for: request, key, time) : .supersede(request, key)
        )
    }

    /// `nil` if no request could ever match.
    private func recorded(
        _ cached: CachedURLResponse,
        for request: URLRequest
    ) -> CachedURLResponse? {
        var variance: RequestVariance? = .any
        if let response = cached.response as? HTTPURLResponse {
            variance = RequestVariance(of: request, answeredBy: response.fields)
        }
        return variance.map { variance in
            let time = clock.now
            return cached.replacing(
                record: CacheRecord(
                    requestTime: cached.record?.requestTime ?? time,
                    responseTime: cached.record?.responseTime ?? time,
                    variance: variance
                )
            )
        }
    }

    /// Removes the responses for the request's method and URL, in all variants.
    func remove(_ request: URLRequest) {
        guard let key = CacheKey(request) else { return }
        remove(url: key.url, method: key.method)
    }

    /// Removes the responses for a URL, for all methods.
    func remove(_ url: URL) {
        remove(url: CacheKey(url: url).url, method: nil)
    }

    private func remove(url: String, method: String?) {
        state.withLock { state in
            state.reading[url]?.isOutdated = true
            state.memory.remove(url: url, method: method)
        }
        disk?.write(.remove(url: url, method: method))
    }

    /// Removes the responses that were stored at a time or later.
    func remove(since time: Date) {
        state.withLock { state in
            for url in state.reading.keys { state.reading[url]?.isOutdated = true }
            state.memory.remove(since: time)
        }
        disk?.write(.removeSince(time))
    }

    /// Removes everything. Blocks until the disk is empty too.
    func removeAll() {
        state.withLock { state in
            for url in state.reading.keys { state.reading[url]?.isOutdated = true }
            state.memory.removeAll()
        }
        disk?.removeAll()
    }
}

/// The current time: by default the system's clock.
final class CacheClock: Sendable {
    /// Wraps the closure in a struct. A lock that stores a closure directly wraps it again at each
    /// access, and each call passes through all the wrappers.
    private struct Source: Sendable {
        var now: @Sendable () -> Date
    }

    private let source = Mutex(Source { Date() })

    var now: Date { source.withLock { $0.now }() }

    /// Uses another clock from now on.
    func follow(_ other: @escaping @Sendable () -> Date) {
        source.withLock { $0.now = other }
    }
}
