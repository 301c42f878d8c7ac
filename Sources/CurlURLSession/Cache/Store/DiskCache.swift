internal import Dispatch
internal import Foundation
internal import Synchronization

/// The responses that are on disk.
///
/// Changes are noted at once and made on a queue of the cache's own, many in one transaction. What is
/// read is read after the changes that were noted before, on the thread that asks, which may have to
/// wait for the disk: no loop thread asks.
///
/// A cache may forget. So nothing here fails: where the file can't be read or written, there is
/// nothing in it.
final class DiskCache: Sendable {
    private struct State: ~Copyable {
        var database: CacheDatabase?
        /// The number of the file that was opened, or tried last.
        var fileNumber: UInt64?
        /// When it is tried again to open the file, after it failed.
        var nextAttempt = Date.distantPast
    }

    private struct Pending: Sendable {
        var writes: [DiskWrite] = []
        var size = 0
        var isScheduled = false
    }

    /// What waits to be written is at most so large, in bytes. More isn't stored.
    static let mostPending = 16 << 20
    /// So many changes are kept for later where the file can't be written.
    private static let mostUndone = 1000
    /// A body is at most so large, in bytes, whatever the capacity.
    static let largestBody = 256 << 20
    /// For how long, in seconds, a file that can't be opened is left alone.
    private static let pause: TimeInterval = 10

    /// The file. Beside it lie those of its journal.
    let path: String
    private let directory: URL
    private let patience: Int32
    private let clock: CacheClock
    private let queue: DispatchQueue
    private let pending = Mutex(Pending())
    private let state = Mutex(State())
    private let bytes: Mutex<Int>

    /// Nothing is opened or made yet. Changes are made on `queue`. For `patience` milliseconds another
    /// process that writes is waited for.
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

    /// In bytes. What is too much is removed.
    var capacity: Int {
        get { bytes.withLock { $0 } }
        set {
            bytes.withLock { $0 = newValue }
            schedule()
        }
    }

    /// What a response takes up, in bytes.
    static func size(of key: CacheKey, head: Data, body: Data) -> Int {
        key.url.utf8.count + head.count + body.count
    }

    /// The size of a response, in bytes, above which it isn't stored: a twentieth of the capacity.
    var largest: Int { min(capacity / 20, Self.largestBody) }

    // MARK: - Writing

    /// Notes a change. It is made soon, and before anything is read.
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

    /// Makes the changes that were noted.
    func flush() {
        perform { _ in }
    }

    /// Removes everything, and gives the room back.
    func removeAll() {
        write(.removeSince(.distantPast))
        perform { try $0.shrink() }
    }

    // MARK: - Reading

    /// What answers the request, the latest if there are several; `nil` if there is nothing.
    func response(for request: URLRequest, _ key: CacheKey) -> CachedURLResponse? {
        perform { database -> CachedURLResponse? in
            let heads = try Self.heads(for: request, key, in: database)
            let found = heads.compactMap { head in
                head.response.cached(Data()).map { (head: head, cached: $0) }
            }
            guard let best = found.max(by: { $0.cached.isOlder(than: $1.cached) }),
                let body = try database.body(best.head.id)
            else { return nil }
            if clock.now.timeIntervalSince(best.head.used) >= MemoryCache.silence {
                write(.touch(request, key, clock.now))
            }
            return best.cached.replacing(data: body, record: best.cached.record)
        } ?? nil
    }

    /// How many bytes are stored.
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

    /// Makes the changes that were noted, and then does this. `nil` if there is no file, or something
    /// is wrong with it.
    @discardableResult
    private func perform<Value: Sendable>(
        _ body: @Sendable (borrowing CacheDatabase) throws -> Value
    ) -> Value? {
        state.withLock { state in
            var writes = takePending()
            let makesFile = writes.contains { $0.isStore }
            // A second attempt is one with a new file, and so is a third, should another process have
            // set that aside, too.
            for _ in 0..<3 {
                do {
                    guard try open(&state, makesFile: makesFile) else { return nil }
                    try state.database?.perform { try apply(writes, to: $0) }
                    writes = []
                    return try state.database?.perform(body)
                } catch let error as SQLiteError where error.isDamage {
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

    /// What was removed mustn't come back because the file was busy.
    private func keepForLater(_ writes: [DiskWrite]) {
        pending.withLock { pending in
            let undone = writes.compactMap(\.duty) + pending.writes
            pending.writes = undone.suffix(Self.mostUndone)
        }
    }

    /// Whether the file is open then. It isn't where there is none and none is to be made.
    private func open(_ state: inout State, makesFile: Bool) throws -> Bool {
        // Somebody may have removed it, as users do with caches, or set it aside.
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
            let isDamage = (error as? SQLiteError)?.isDamage ?? false
            if !isDamage { state.nextAttempt = clock.now.addingTimeInterval(Self.pause) }
            throw error
        }
    }

    /// What tells the file from another one that took its name; `nil` if there is none.
    private var fileNumber: UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
    }

    /// Moves a broken file out of the way, for its owner to look at, in the place of an earlier one;
    /// unless another process has begun a new one meanwhile.
    private func setAside(_ number: UInt64?) {
        guard let number, number == fileNumber else { return }
        let files = FileManager.default
        try? files.removeItem(atPath: path + ".damaged")
        // Before the file itself: once that is away, another may begin a new one with its own.
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

    /// Removes what the request is answered by so far, and the first of too many variants.
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
