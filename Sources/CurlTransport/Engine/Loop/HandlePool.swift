internal import Curl
internal import Posix

/// The loop's multi handle and its idle easy handles.
///
/// The multi handle is created when needed. Its transfers use the loop's ``SharedCaches``.
///
/// Closing the multi handle is the only way in libcurl to close idle connections. The next transfer
/// opens a new one. TLS sessions are kept, so that new connections resume them.
struct HandlePool: ~Copyable {
    private var multi: MultiHandle?
    /// Easy handles without a transfer, the most recently used last.
    private var idle: [PooledEasyHandle] = []
    private var caches = SharedCaches()
    private let maximumIdleConnections: Int
    private var running = 0
    private static let maximumIdle = 256
    private static let maximumResolveThreads = 1 << 12
    /// The number of running transfers that libcurl's connection cache has room for now.
    private var connectionCacheSize = 0

    init(maximumIdleConnections: Int) {
        // libcurl stores the sum of this and the number of transfers in 32 bits.
        self.maximumIdleConnections = min(maximumIdleConnections, 1 << 30)
    }

    var isOpen: Bool { multi != nil }

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

    /// Creates an easy handle for this multi handle.
    mutating func makeEasy(loop: any MultiCallbacks) throws(CurlCode) -> PooledEasyHandle {
        if multi == nil {
            let created = try MultiHandle(callbacks: loop)
            // Its end doesn't wait for abandoned name lookups, nor do others wait behind them: the
            // transport limits their number itself. Versions before 8.20 don't have these options.
            created.set(.quickExit, 1)
            created.set(.maxResolveThreads, Self.maximumResolveThreads)
            multi = consume created
            connectionCacheSize = 0
        }
        switch multi {
        case .some(let multi):
            return PooledEasyHandle(try EasyHandle(for: multi))
        case .none:
            throw .failedInit
        }
    }

    /// Whether a handle may be reused by another transfer.
    ///
    /// Before 8.1, libcurl kept a pointer to the last header field of a handle's previous transfer.
    /// If the next response began with a folded line, libcurl appended it to that freed memory
    /// (<https://github.com/curl/curl/issues/11101>). No function of libcurl clears the pointer,
    /// not even `curl_easy_reset`. So these versions get a new handle for each transfer.
    ///
    /// Other state that a handle keeps between transfers is harmless here. The count of resent
    /// requests: a handle that has resent one isn't kept. The state of Digest, NTLM and Negotiate,
    /// and the name of the first host: handles with such credentials serve one transfer. Cookies,
    /// HSTS and Alt-Svc: they are never enabled. The last `errno`: it is read only after a failure.
    private static let reusesHandles = CurlVersion.current.isAtLeast(8, 1)

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

    mutating func add(_ easy: PooledEasyHandle) -> MultiCode {
        running += 1
        adjustConnectionCache()
        return multi?.add(easy.handle) ?? .badHandle
    }

    mutating func remove(_ easy: PooledEasyHandle) {
        assert(running > 0, "a handle is removed that wasn't added")
        running -= 1
        multi?.remove(easy.handle)
    }

    /// Adjusts the size of libcurl's connection cache in steps, to the number of transfers.
    ///
    /// libcurl's limit includes connections in use. If it were lower than their number, libcurl
    /// would close connections that the next transfer needs. It is higher than the number of idle
    /// connections that ``LoopDriver/limitIdleConnections(after:)`` allows.
    private mutating func adjustConnectionCache() {
        guard running > connectionCacheSize || running * 4 < connectionCacheSize else { return }
        connectionCacheSize = running + running / 2 + 16
        multi?.set(.maxConnects, max(1, connectionCacheSize + maximumIdleConnections))
    }

    func work(on descriptor: Int32, ready: SocketInterest) -> MultiCode {
        multi?.work(on: descriptor, ready: ready) ?? .badSocket
    }

    func timeout() -> MultiCode {
        multi?.timeout() ?? .ok
    }

    func nextResult() -> (token: UInt64, code: CurlCode)? {
        multi?.nextResult()
    }

    /// Closes all connections. No transfer may be in the multi handle.
    mutating func close() {
        // The handles' options point into the multi handle's context.
        idle = []
        multi = nil
        running = 0
    }
}

/// An easy handle that is used for successive transfers.
///
/// Most requests differ only in URL and fields, so the next request can use the handle with its
/// options unchanged.
final class PooledEasyHandle {
    // Creating, configuring and freeing a handle costs a tenth of a small request.

    let handle: EasyHandle

    /// The handle's configuration, if another transfer may reuse it.
    var setup: EasySetup?

    /// The handle's endpoint, if it was set separately from the path.
    private var endpoint: Endpoint?

    private var opensConnection = false
    /// Whether libcurl closes the connection at the end of the transfer.
    private(set) var closesConnection = false

    /// The cache for names and TLS sessions, which exists at least as long as it is set.
    private var cache: SharedCache?
    /// How long a resolved name is used, in seconds; nil for libcurl's default.
    private var nameLifetime: Int?

    /// libcurl's default for `CURLOPT_BUFFERSIZE`.
    static let usualBufferSize = 16 * 1024

    private(set) var bufferSize = PooledEasyHandle.usualBufferSize

    init(_ handle: consuming EasyHandle) {
        self.handle = handle
    }

    /// Sets whether libcurl opens a new connection without searching for an existing one.
    ///
    /// libcurl searches all connections in use. With thousands of transfers, that is most of the
    /// work.
    func openConnection(_ opensConnection: Bool) throws(TransportError) {
        guard self.opensConnection != opensConnection else { return }
        do {
            try handle.set(.freshConnect, opensConnection)
        } catch {
            throw .configuration("libcurl refuses \(error.option): \(error.code)")
        }
        self.opensConnection = opensConnection
    }

    /// Sets whether libcurl closes the connection at the end of the transfer.
    func closeConnection(_ closesConnection: Bool) throws(EasyOptionFailure) {
        guard self.closesConnection != closesConnection else { return }
        try handle.set(.forbidReuse, closesConnection)
        self.closesConnection = closesConnection
    }

    /// Sets the cache for names and TLS sessions, and how long a name is used, in seconds.
    func use(_ cache: SharedCache, nameLifetime: Int) throws(EasyOptionFailure) {
        if self.cache !== cache {
            try handle.set(share: cache.handle)
            self.cache = cache
        }
        if self.nameLifetime != nameLifetime {
            try handle.set(.dnsCacheTimeout, nameLifetime)
            self.nameLifetime = nameLifetime
        }
    }

    /// Sets how many bytes of a response are read at once.
    ///
    /// No effect while libcurl keeps the buffer of the handle's previous transfer.
    func receive(bufferSize: Int) {
        guard self.bufferSize != bufferSize else { return }
        do {
            try handle.set(.bufferSize, bufferSize)
            self.bufferSize = bufferSize
        } catch {
            // The handle keeps its current size.
        }
    }

    /// Sets the endpoint of the handle's requests, without a path.
    func setEndpoint(_ endpoint: Endpoint) throws(EasyOptionFailure) {
        guard self.endpoint !== endpoint else { return }
        try handle.set(url: endpoint.url)
        self.endpoint = endpoint
    }
}

/// Everything that a handle's configuration depends on, except URL and fields.
struct EasySetup: Equatable {
    let options: PreparedOptions
    let isSecure: Bool
    let sendsCredentials: Bool
    let waitsForMultiplexing: Bool
    /// Whether HTTP/3 is used because the origin has announced it.
    let usesAltSvc: Bool
    /// The versions of the files that the options name.
    var files: FileSettings?

    static func == (lhs: EasySetup, rhs: EasySetup) -> Bool {
        lhs.options === rhs.options && lhs.isSecure == rhs.isSecure
            && lhs.sendsCredentials == rhs.sendsCredentials
            && lhs.waitsForMultiplexing == rhs.waitsForMultiplexing
            && lhs.usesAltSvc == rhs.usesAltSvc && lhs.files === rhs.files
    }
}
