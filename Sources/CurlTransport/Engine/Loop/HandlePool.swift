internal import Curl
internal import Posix

/// The loop's multi handles and its idle easy handles.
///
/// Each multi handle is a *shard*: it has a part of the loop's transfers and connections, which
/// ``OriginShards`` chooses. It is created when needed. All of them use the loop's
/// ``SharedCaches``, and any easy handle may be used in each of them.
///
/// Closing a multi handle is the only way in libcurl to close its idle connections. The next
/// transfer opens a new one. TLS sessions are kept, so that new connections resume them.
struct HandlePool: ~Copyable {
    /// The multi handles; nil for closed ones. Closed before the group, which their callbacks use.
    private var shards: [Shard?] = []
    private var group: MultiGroup?
    /// Easy handles without a transfer, the most recently used last.
    private var idle: [PooledEasyHandle] = []
    private var caches = SharedCaches()
    private let maximumIdleConnections: Int
    /// The number of transfers in all shards.
    private var running = 0
    private static let maximumIdle = 256

    init(maximumIdleConnections: Int) {
        // libcurl stores the sum of this and the number of transfers in 32 bits.
        self.maximumIdleConnections = min(maximumIdleConnections, 1 << 30)
    }

    var isOpen: Bool { !shards.isEmpty }

    /// The size of libcurl's receive buffer in bytes, for a transfer that starts now.
    ///
    /// It isn't known yet whether a large body will arrive, and the size can't be changed later. So
    /// only the first 16 transfers get large buffers.
    func receiveBufferSize(_ options: PreparedOptions) -> Int {
        if let size = options.receiveBufferSize { return size }
        // With libcurl's default of 16 KiB, a large body costs twice the CPU time. The memory is in
        // use only where bytes have arrived, but libcurl's other data would be spread over it: with
        // 10,000 transfers at once, each would cost 50 % more. Large buffers are below 128 KiB,
        // because the allocator would map and unmap each larger buffer separately.
        return running < 16 ? 120 * 1024 : PooledEasyHandle.usualBufferSize
    }

    /// Takes the last used handle if it is already set up as `setup` says.
    mutating func reuseEasy(_ setup: EasySetup) -> PooledEasyHandle? {
        guard idle.last?.setup == setup else { return nil }
        return idle.popLast()
    }

    /// Creates an easy handle for any of the multi handles.
    mutating func makeEasy(loop: any MultiCallbacks) throws(CurlCode) -> PooledEasyHandle {
        PooledEasyHandle(try EasyHandle(for: group(of: loop)))
    }

    private mutating func group(of loop: any MultiCallbacks) -> MultiGroup {
        if let group { return group }
        let created = MultiGroup(callbacks: loop)
        group = created
        return created
    }

    /// Whether a handle may be reused by another transfer.
    ///
    /// From 7.83 to 8.0, a reused handle needs `FirstFieldGuard` of `Curl`, which depends on the
    /// order in which libcurl processes a response. It is tested with 7.88, so the other versions
    /// before 8.1 get a new handle for each transfer. The guard doesn't protect a transfer over a
    /// proxy, nor one that is paused before its first field. A transfer over a proxy gets no reused
    /// handle (``PreparedOptions/allowsPlainHandles``), and no transfer is paused before the end of
    /// its head.
    ///
    /// Other state that a handle keeps between transfers is harmless here. The count of resent
    /// requests: a handle that has resent one isn't kept. The state of Digest, NTLM and Negotiate,
    /// and the name of the first host: handles with such credentials serve one transfer. Cookies,
    /// HSTS and Alt-Svc: they are never enabled. The last `errno`: it is read only after a failure.
    private static let reusesHandles = {
        let version = CurlVersion.current
        return version.isAtLeast(8, 1) || version.isAtLeast(7, 88) && !version.isAtLeast(8)
    }()

    /// Takes back a handle whose transfer has ended and that has left the multi handle.
    mutating func keep(_ easy: PooledEasyHandle) {
        easy.handle.detach()
        guard Self.reusesHandles, easy.setup != nil else { return }
        // Drops the oldest handle, which was set up for earlier options.
        if idle.count >= Self.maximumIdle { idle.removeFirst() }
        idle.append(easy)
    }

    /// Sets the cache that `easy` uses for names and TLS sessions.
    ///
    /// - Parameter lifetime: How long a resolved name is used.
    mutating func shareCache(
        for place: SharedCaches.Place,
        lifetime: LookupLifetime,
        with easy: PooledEasyHandle
    ) throws {
        let seconds =
            switch place {
            case .addresses: 0
            case .overrides: lifetime.secondsOfOverrides
            case .name: lifetime.seconds
            }
        try easy.use(caches.cache(for: place), nameLifetime: seconds)
    }

    /// Adds a handle to a shard, which is created if it doesn't exist.
    mutating func add(
        _ easy: PooledEasyHandle,
        to index: Int,
        loop: any MultiCallbacks,
        at now: MonotonicTime
    ) throws(CurlCode) -> MultiCode {
        let shard = try shard(at: index, loop: loop)
        running += 1
        easy.shard = index
        return shard.add(easy, maximumIdleConnections: maximumIdleConnections, at: now)
    }

    private mutating func shard(
        at index: Int,
        loop: any MultiCallbacks
    ) throws(CurlCode) -> Shard {
        if index < shards.count, let shard = shards[index] { return shard }
        let created = try Shard(in: group(of: loop), number: index)
        while index >= shards.count { shards.append(nil) }
        shards[index] = created
        return created
    }

    private func shard(_ index: Int) -> Shard? {
        shards.indices.contains(index) ? shards[index] : nil
    }

    mutating func remove(_ easy: PooledEasyHandle, at now: MonotonicTime) {
        assert(running > 0, "a handle is removed that wasn't added")
        running -= 1
        shard(easy.shard)?.remove(easy, at: now)
    }

    func work(on descriptor: Int32, ready: SocketInterest, in index: Int) -> MultiCode {
        shard(index)?.multi.work(on: descriptor, ready: ready) ?? .badSocket
    }

    func timeout(of index: Int) -> MultiCode {
        shard(index)?.multi.timeout() ?? .ok
    }

    func nextResult(of index: Int) -> (token: UInt64, code: CurlCode)? {
        shard(index)?.nextResult()
    }

    /// Closes connections that have been idle for `lifetime`, in nanoseconds, in shards that
    /// libcurl doesn't look through because they get no transfers.
    ///
    /// An unused shard is closed, except the first one. Returns when to call this again; nil if
    /// there are no other shards.
    mutating func closeIdleConnections(
        lifetime: Int64,
        at now: MonotonicTime
    ) -> MonotonicTime? {
        for index in shards.indices {
            guard let shard = shards[index] else { continue }
            if shard.running > 0 {
                shard.closeOldConnections(lifetime: lifetime, at: now, in: group)
            } else if index > 0, shard.lastUse.advanced(byNanoseconds: lifetime) <= now {
                shards[index] = nil
            }
        }
        while shards.count > 1, shards[shards.count - 1] == nil { shards.removeLast() }
        return shards.dropFirst().compactMap { $0?.nextCheck(lifetime: lifetime) }.min()
    }

    /// Closes all connections. No transfer may be in a multi handle.
    mutating func close() {
        // The handles' options point into the group.
        idle = []
        shards = []
        group = nil
        running = 0
    }
}

/// One of a loop's multi handles, with a part of the loop's transfers and connections.
final class Shard {
    let multi: MultiHandle
    /// The number of its transfers.
    private(set) var running = 0
    /// When a transfer was last added or removed.
    private(set) var lastUse = MonotonicTime.now
    /// When libcurl has last looked for old connections.
    private var lastLook = MonotonicTime.now
    /// A handle that makes libcurl look for old connections now.
    private var sweeper: PooledEasyHandle?
    /// The number of running transfers that libcurl's connection cache has room for now.
    private var connectionCacheSize = 0

    private static let maximumResolveThreads = 1 << 12
    /// libcurl looks for old connections once per second at most. In nanoseconds.
    private static let shortestPause: Int64 = 1_000_000_000

    init(in group: MultiGroup, number: Int) throws(CurlCode) {
        multi = try MultiHandle(in: group, number: number)
        // Its end doesn't wait for abandoned name lookups, nor do others wait behind them: the
        // transport limits their number itself. Versions before 8.20 don't have these options.
        multi.set(.quickExit, 1)
        multi.set(.maxResolveThreads, Self.maximumResolveThreads)
    }

    deinit {
        removeSweeper()
    }

    func add(
        _ easy: PooledEasyHandle,
        maximumIdleConnections: Int,
        at now: MonotonicTime
    ) -> MultiCode {
        running += 1
        lastUse = now
        lastLook = now
        adjustConnectionCache(maximumIdleConnections)
        return multi.add(easy.handle)
    }

    func remove(_ easy: PooledEasyHandle, at now: MonotonicTime) {
        assert(running > 0, "a handle is removed that wasn't added")
        running -= 1
        lastUse = now
        multi.remove(easy.handle)
    }

    /// Adjusts the size of libcurl's connection cache in steps, to the number of transfers.
    ///
    /// libcurl's limit includes connections in use. If it were lower than their number, libcurl
    /// would close connections that the next transfer needs. It is higher than the number of idle
    /// connections that ``LoopDriver/limitIdleConnections(after:)`` allows.
    private func adjustConnectionCache(_ maximumIdleConnections: Int) {
        guard running > connectionCacheSize || running * 4 < connectionCacheSize else { return }
        connectionCacheSize = running + running / 2 + 16
        multi.set(.maxConnects, max(1, connectionCacheSize + maximumIdleConnections))
    }

    /// The token and result of a completed transfer; nil if there is none.
    func nextResult() -> (token: UInt64, code: CurlCode)? {
        while let result = multi.nextResult() {
            // A transfer's token is never zero.
            guard result.token == 0 else { return result }
            removeSweeper()
        }
        return nil
    }

    // MARK: Old connections

    /// When idle connections may have to be closed next.
    ///
    /// - Parameter lifetime: How long a connection may be idle, in nanoseconds.
    func nextCheck(lifetime: Int64) -> MonotonicTime {
        running > 0
            ? nextLook(lifetime: lifetime) : lastUse.advanced(byNanoseconds: lifetime)
    }

    private func nextLook(lifetime: Int64) -> MonotonicTime {
        lastLook.advanced(byNanoseconds: lifetime / 2).advanced(byNanoseconds: Self.shortestPause)
    }

    /// Makes libcurl close connections that have been idle for `lifetime`, in nanoseconds.
    ///
    /// libcurl closes them only when it starts a request. So it gets one, to a port that has no idle
    /// connection, which fails at once: a handle without transfer isn't allowed to open a socket.
    func closeOldConnections(lifetime: Int64, at now: MonotonicTime, in group: MultiGroup?) {
        guard nextLook(lifetime: lifetime) <= now else { return }
        lastLook = now
        guard sweeper == nil, let group else { return }
        let seconds = Duration.nanoseconds(lifetime).wholeSeconds
        do {
            let easy = PooledEasyHandle(try EasyHandle(for: group))
            try easy.handle.set(.url, "http://127.0.0.1:1/")
            try easy.handle.set(.proxy, "")
            try easy.handle.set(.noSignal, true)
            try easy.handle.set(.maxAgeOfConnection, seconds)
            guard multi.add(easy.handle).isOK else { return }
            sweeper = easy
        } catch {
            // The connections stay open until the next check, or the next request of the shard.
        }
    }

    private func removeSweeper() {
        if let sweeper { multi.remove(sweeper.handle) }
        sweeper = nil
    }
}

@available(*, unavailable)
extension Shard: Sendable {}
