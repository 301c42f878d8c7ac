internal import Dispatch
internal import Foundation
internal import Synchronization

/// The responses on disk.
///
/// Changes are queued at once, and made on the cache's own queue, many in one transaction. A read
/// follows all changes queued before it. It happens on the calling thread, which may block on the
/// disk, so loop threads never read.
///
/// A cache may lose its contents, so nothing here fails: if the file can't be read or written, the
/// cache is empty.
final class DiskCache: Sendable {
    private struct State: ~Copyable {
        var database: CacheDatabase?
        /// The inode number of the file that was opened, or tried last.
        var fileNumber: UInt64?
        /// When to retry opening the file after a failure.
        var nextAttempt = Date.distantPast
    }

    private struct Pending: Sendable {
        var writes: [DiskWrite] = []
        var size = 0
        var isScheduled = false
    }

    /// The most bytes of pending writes. Responses beyond that aren't stored.
    static let mostPending = 16 << 20
    /// The most changes that are kept for later if the file can't be written.
    private static let mostUndone = 1000
    /// The largest body, in bytes, whatever the capacity.
    static let largestBody = 256 << 20
    /// The delay before opening the file is retried, in seconds.
    private static let pause: TimeInterval = 10

    /// The path of the file. The journal files are in the same directory.
    let path: String
    private let directory: URL
    private let patience: Int32
    private let clock: CacheClock
    private let queue: DispatchQueue
    private let pending = Mutex(Pending())
    private let state = Mutex(State())
    private let bytes: Mutex<Int>

    /// Creates a cache, but doesn't open or create the file yet. Changes are made on `queue`.
    ///
    /// Each access waits up to `patience` milliseconds for another process that writes.
    init(
        directory: URL,
        capacity: Int,
        queue: DispatchQueue,
        patience: Int32 = 2000,
        clock: CacheClock
    ) {
        self.patience = patience
        self.directory = directory
        self.queue = queue
        self.clock = clock
        path = directory.appendingPathComponent("Cache.db").path
        bytes = Mutex(capacity)
    }

    /// The capacity, in bytes. Responses beyond it are removed.
    var capacity: Int {
        get { bytes.withLock { $0 } }
        set {
            bytes.withLock { $0 = newValue }
            schedule()
        }
    }

    /// The size of a response, in bytes.
    static func size(of key: CacheKey, head: Data, body: Data) -> Int {
        key.url.utf8.count + head.count + body.count
    }

    /// The largest response that is stored, in bytes. It is a twentieth of the capacity, but not
    /// more than ``largestBody``.
    var largest: Int { min(capacity / 20, Self.largestBody) }

    // MARK: - Writing

    /// Queues a change. It is made soon, and before any later read.
    func write(_ write: DiskWrite) {
        pending.withLock { pending in
            if pending.size + write.size <= Self.mostPending {
                pending.writes.append(write)
                pending.size += write.size
            } else if let duty = write.duty {
                pending.writes.append(duty)
            }
        }
        schedule()
    }

    private func schedule() {
        let isFirst = pending.withLock { pending in
            let isFirst = !pending.isScheduled
            pending.isScheduled = true
            return isFirst
        }
        if isFirst { queue.async { self.flush() } }
    }

    /// Makes the pending changes.
    func flush() {
        perform { _ in }
    }

    /// Removes everything, and returns the space to the file system.
    func removeAll() {
        write(.removeSince(.distantPast))
        perform { try $0.shrink() }
    }

    // MARK: - Reading

    /// The latest response that answers the request; `nil` if there is none. A damaged response is
    /// removed and not used.
    func response(for request: URLRequest, _ key: CacheKey) -> CachedURLResponse? {
        perform { database -> CachedURLResponse? in
            let heads = try Self.heads(for: request, key, in: database)
            let found = heads.compactMap { head in
                head.response.cached(Data()).map { (head: head, cached: $0) }
            }
            for (head, cached) in found.sorted(by: { $1.cached.isOlder(than: $0.cached) }) {
                guard let body = try database.body(of: head) else { continue }
                if clock.now.timeIntervalSince(head.used) >= MemoryCache.silence {
                    write(.touch(request, key, clock.now))
                }
                return cached.replacing(data: body, record: cached.record)
            }
            return nil
        } ?? nil
    }

    /// The number of stored bytes.
    var usage: Int {
        perform { try $0.usage() } ?? 0
    }

    private static func heads(
        for request: URLRequest,
        _ key: CacheKey,
        in database: borrowing CacheDatabase
    ) throws -> [CacheDatabase.Head] {
        try database.heads(for: key).filter { $0.response.record.variance.answers(request) }
    }

    // MARK: - The file

    /// Makes the pending changes, then calls `body`. Returns `nil` if there is no file, or if it
    /// can't be used.
    @discardableResult
    private func perform<Value: Sendable>(
        _ body: @Sendable (borrowing CacheDatabase) throws -> Value
    ) -> Value? {
        state.withLock { state in
            var writes = takePending()
            let makesFile = writes.contains { $0.isStore }
            // The second attempt uses a new file. So does the third, for the case that another
            // process has set that one aside, too.
            for _ in 0..<3 {
                do {
                    guard try open(&state, makesFile: makesFile) else { return nil }
                    try state.database?.perform { try apply(writes, to: $0) }
                    writes = []
                    return try state.database?.perform(body)
                } catch let error as SQLiteError where error.isDamageOfKnownTables {
                    state.database = nil
                    setAside(state.fileNumber)
                } catch {
                    guard state.database?.hasMoved ?? false else {
                        keepForLater(writes)
                        return nil
                    }
                    state.database = nil
                }
            }
            return nil
        }
    }

    private func takePending() -> [DiskWrite] {
        pending.withLock { pending in
            let writes = pending.writes
            pending = Pending()
            return writes
        }
    }

    /// Keeps the removals: a removed response must not reappear because the file was busy.
    private func keepForLater(_ writes: [DiskWrite]) {
        pending.withLock { pending in
            let undone = writes.compactMap(\.duty) + pending.writes
            pending.writes = undone.suffix(Self.mostUndone)
        }
    }

    /// Returns whether the file is open. It isn't if there is none and `makesFile` is false.
    private func open(_ state: inout State, makesFile: Bool) throws -> Bool {
        // The file may have been removed, as users do with caches, or set aside.
        if state.database?.hasMoved ?? false { state.database = nil }
        if state.database != nil { return true }
        let number = fileNumber
        guard number != nil || makesFile else { return false }
        guard clock.now >= state.nextAttempt else { throw CocoaError(.fileReadUnknown) }
        state.fileNumber = number
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            state.database = try CacheDatabase(path: path, patience: patience)
            state.fileNumber = fileNumber
            return true
        } catch {
            let isDamage = (error as? SQLiteError)?.isDamageOfKnownTables ?? false
            if !isDamage { state.nextAttempt = clock.now.addingTimeInterval(Self.pause) }
            throw error
        }
    }

    /// The inode number; `nil` without a file. Another file of the same name has a different one.
    private var fileNumber: UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
    }

    /// Renames a damaged file, so that its owner can inspect it. It replaces an earlier damaged
    /// file.
    ///
    /// Does nothing if another process has created a new file meanwhile.
    private func setAside(_ number: UInt64?) {
        guard let number, number == fileNumber else { return }
        let files = FileManager.default
        try? files.removeItem(atPath: path + ".damaged")
        // Before the file itself: once it is renamed, another process may create a new one with its
        // own journal.
        for suffix in ["-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
        do {
            try files.moveItem(atPath: path, toPath: path + ".damaged")
        } catch {
            try? files.removeItem(atPath: path)
        }
    }

    private func apply(
        _ writes: [DiskWrite],
        to database: borrowing CacheDatabase
    ) throws {
        let capacity = capacity
        guard try !writes.isEmpty || database.usage() > capacity else { return }
        try database.transaction { database in
            for write in writes { try apply(write, to: database) }
            try database.trim(to: capacity)
        }
    }

    private func apply(_ write: DiskWrite, to database: borrowing CacheDatabase) throws {
        switch write {
        case .store(let cached, for: let request, let key, let time):
            try supersede(request, key, in: database)
            guard let head = ArchivedResponse(cached)?.data,
                Self.size(of: key, head: head, body: cached.data) <= largest
            else { return }
            try database.add(key, head: head, body: cached.data, at: time)
        case .supersede(let request, let key):
            try supersede(request, key, in: database)
        case .touch(let request, let key, let time):
            for head in try Self.heads(for: request, key, in: database) {
                try database.touch(head.id, at: time)
            }
        case .remove(let url, let method):
            try database.remove(url: url, method: method)
        case .removeSince(let time):
            try database.remove(since: time)
        }
    }

    /// Removes the responses that a new one for the request replaces. If there are too many other
    /// variants, removes the first ones.
    private func supersede(
        _ request: URLRequest,
        _ key: CacheKey,
        in database: borrowing CacheDatabase
    ) throws {
        let heads = try database.heads(for: key)
        let others = heads.filter { !$0.response.record.variance.answers(request) }
        let surplus = others.prefix(max(0, others.count + 1 - MemoryCache.mostVariants))
        let kept = Set(others.dropFirst(surplus.count).map(\.id))
        for head in heads where !kept.contains(head.id) { try database.remove(head.id) }
    }
}
