internal import Dispatch
internal import Foundation
internal import Synchronization

/// The responses of a cache, in memory and, where there is a place for them, on disk.
final class CacheStore: Sendable {
    private struct State: Sendable {
        var memory: MemoryCache
        /// The URLs that are being looked for on disk.
        var reading: [String: Reading] = [:]
        /// What is loaded again in the background.
        var renewed: Set<CacheKey> = []
    }

    private struct Reading: Sendable {
        var count = 0
        /// Whether what is stored has changed since, so that what is read may be outdated.
        var isOutdated = false
    }

    /// What is known without waiting for the disk.
    enum Glance: Sendable {
        case found(CachedURLResponse)
        case nothing
        /// It may be on disk.
        case unknown
    }

    let disk: DiskCache?
    /// Where what waits for the disk is done, and what subclasses do.
    let queue: DispatchQueue
    let clock = CacheClock()
    private let state: Mutex<State>

    /// Capacities are in bytes. Without a directory there is nothing on disk.
    init(memoryCapacity: Int, diskCapacity: Int, directory: URL?) {
        let queue = DispatchQueue(label: "CurlURLSession.URLCache", qos: .utility)
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

    /// The size of a body, in bytes, above which a response is stored nowhere.
    var largestBody: Int { max(memoryCapacity / 20, disk?.largest ?? 0) }

    /// Whether nothing is stored, as far as is known without looking at the disk.
    var isEmptyForSure: Bool {
        (disk.map { $0.capacity == 0 } ?? true) && state.withLock { $0.memory.isEmpty }
    }

    // MARK: - Renewing

    /// Takes note that what is stored under a key is loaded again. False if it is already.
    func beginRenewal(of key: CacheKey) -> Bool {
        state.withLock { $0.renewed.insert(key).inserted }
    }

    func endRenewal(of key: CacheKey) {
        state.withLock { state in _ = state.renewed.remove(key) }
    }

    // MARK: - Looking up

    /// Looks in memory, and waits for nothing.
    func glance(_ request: URLRequest) -> Glance {
        let time = clock.now
        let found = state.withLock { state -> MemoryCache.Found? in
            guard !state.memory.isEmpty, let key = CacheKey(request) else { return nil }
            return state.memory.response(for: request, key, at: time)
        }
        guard let found else { return disk.map { $0.capacity > 0 } ?? false ? .unknown : .nothing }
        if found.isToBeTold, let key = CacheKey(request) {
            disk?.write(.touch(request, key, time))
        }
        return .found(found.cached)
    }

    /// Looks in memory and on disk, for which it may have to wait.
    func lookUp(_ request: URLRequest) -> CachedURLResponse? {
        switch glance(request) {
        case .found(let cached): cached
        case .nothing: nil
        case .unknown: read(request)
        }
    }

    /// Looks on disk, and takes what is found there into memory.
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

    /// Stores a response in the place of those that the request is answered by so far. Without a
    /// record it is one that has just come.
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

    /// `nil` if no request could ever be answered with it.
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

    /// Removes what is stored for the request's method and URL, all variants of it.
    func remove(_ request: URLRequest) {
        guard let key = CacheKey(request) else { return }
        remove(url: key.url, method: key.method)
    }

    /// Removes what is stored for a URL, under all methods.
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

    /// Removes what was stored at a time or after it.
    func remove(since time: Date) {
        state.withLock { state in
            for url in state.reading.keys { state.reading[url]?.isOutdated = true }
            state.memory.remove(since: time)
        }
        disk?.write(.removeSince(time))
    }

    /// Removes everything, on disk too when this returns.
    func removeAll() {
        state.withLock { state in
            for url in state.reading.keys { state.reading[url]?.isOutdated = true }
            state.memory.removeAll()
        }
        disk?.removeAll()
    }
}
