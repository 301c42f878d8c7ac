internal import Foundation
internal import HTTPSemantics

/// The responses in memory, in the order of their use.
///
/// The least recently used responses are evicted first.
struct MemoryCache: Sendable {
    private struct Slot: Sendable {
        let key: CacheKey
        let cached: CachedURLResponse
        let size: Int
        /// When it was stored.
        let stored: Date
        /// When the disk was last notified that it was used.
        var notified: Date
        /// The slots that were used just before and just after this one.
        var older: Int?
        var newer: Int?
    }

    /// A response that was found.
    struct Found: Sendable {
        let cached: CachedURLResponse
        /// Whether the disk should be notified that it was used.
        let needsDiskUpdate: Bool
    }

    /// The most variants of one URL.
    static let mostVariants = 32
    /// The shortest time between two notifications of the disk, in seconds.
    static let silence: TimeInterval = 60

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var byURL: [String: [Int]] = [:]
    private var oldest: Int?
    private var newest: Int?
    /// In bytes.
    private(set) var usage = 0
    /// In bytes. Responses beyond it are evicted.
    var capacity: Int {
        didSet { trim() }
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { byURL.isEmpty }

    /// The size of a response, in bytes: its body, its URL and its fields.
    static func size(of cached: CachedURLResponse, for key: CacheKey) -> Int {
        let lines = (cached.response as? HTTPURLResponse)?.fields.lines ?? []
        return lines.reduce(cached.data.count + key.url.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }

    /// The latest response that answers the request. Marks it as used.
    mutating func response(for request: URLRequest, _ key: CacheKey, at now: Date) -> Found? {
        let found = indices(for: key).compactMap { index in
            slots[index].flatMap { slot -> (index: Int, cached: CachedURLResponse)? in
                let isAnswered = slot.cached.record?.variance.answers(request) ?? true
                return isAnswered ? (index, slot.cached) : nil
            }
        }
        guard let best = found.max(by: { $0.cached.isOlder(than: $1.cached) }) else { return nil }
        unlink(best.index)
        link(best.index)
        let needsDiskUpdate =
            slots[best.index].map { now.timeIntervalSince($0.notified) >= Self.silence } ?? false
        if needsDiskUpdate { slots[best.index]?.notified = now }
        return Found(cached: best.cached, needsDiskUpdate: needsDiskUpdate)
    }

    /// Stores a response, and replaces those that answer the request so far. A response that is
    /// larger than a twentieth of the capacity isn't stored.
    mutating func store(
        _ cached: CachedURLResponse,
        for request: URLRequest,
        _ key: CacheKey,
        at now: Date
    ) {
        for index in indices(for: key) {
            let variance = slots[index]?.cached.record?.variance
            if variance?.answers(request) ?? true { remove(index) }
        }
        let size = Self.size(of: cached, for: key)
        guard size <= capacity / 20 else { return }
        let known = indices(for: key)
        if known.count >= Self.mostVariants, let first = known.first { remove(first) }
        let slot = Slot(key: key, cached: cached, size: size, stored: now, notified: now)
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        byURL[key.url, default: []].append(index)
        usage += size
        link(index)
        trim()
    }

    /// Removes the responses for a URL. If `method` is `nil`, removes them for all methods.
    mutating func remove(url: String, method: String?) {
        for index in byURL[url] ?? [] where method == nil || slots[index]?.key.method == method {
            remove(index)
        }
    }

    /// Removes the responses that were stored at a time or later.
    mutating func remove(since time: Date) {
        for index in slots.indices where slots[index].map({ $0.stored >= time }) ?? false {
            remove(index)
        }
    }

    mutating func removeAll() {
        self = MemoryCache(capacity: capacity)
    }

    private func indices(for key: CacheKey) -> [Int] {
        (byURL[key.url] ?? []).filter { slots[$0]?.key.method == key.method }
    }

    private mutating func trim() {
        while usage > capacity, let oldest { remove(oldest) }
    }

    private mutating func remove(_ index: Int) {
        guard let slot = slots[index] else { return }
        unlink(index)
        slots[index] = nil
        free.append(index)
        usage -= slot.size
        byURL[slot.key.url]?.removeAll { $0 == index }
        if byURL[slot.key.url]?.isEmpty ?? false { byURL[slot.key.url] = nil }
    }

    /// Makes a slot the most recently used one.
    private mutating func link(_ index: Int) {
        slots[index]?.older = newest
        slots[index]?.newer = nil
        if let newest { slots[newest]?.newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        guard let slot = slots[index] else { return }
        if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
        if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
    }
}

extension CachedURLResponse {
    /// Whether the origin created this response before the other one (RFC 9111, 4.1). It is `false`
    /// if either isn't HTTP.
    func isOlder(than other: CachedURLResponse) -> Bool {
        guard let own = StoredResponse(self), let other = StoredResponse(other) else {
            return false
        }
        return (own.date, own.record.responseTime) < (other.date, other.record.responseTime)
    }
}
