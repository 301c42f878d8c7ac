internal import Curl

/// An easy handle that is used for successive transfers.
///
/// Most requests differ only in URL and fields, so the next request can use the handle with its
/// options unchanged.
final class PooledEasyHandle {
    // Creating, configuring and freeing a handle costs a fifth of a small request.

    let handle: EasyHandle

    /// The shard that the handle was last added to.
    var shard = 0

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
