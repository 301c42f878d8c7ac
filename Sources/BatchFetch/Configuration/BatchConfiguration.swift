public import Logging

/// The settings of a batch.
public struct BatchConfiguration: Sendable {
    /// The maximum number of URLs in flight. The default is 256. Each needs a socket: see
    /// ``OpenFiles/raiseLimit()``.
    public var concurrency: Int
    /// The maximum number of URLs in flight per host (name and port). The default is 6.
    public var concurrencyPerHost: Int
    /// How many URLs to read ahead of those in flight. The default is 10,000.
    ///
    /// The queue lets other hosts proceed while one host is at its limit. Each queued URL takes
    /// about 200 bytes. When a few hosts fill the queue for one second while more URLs could be in
    /// flight (as with a list that is sorted by host and begins with a slow host), reading
    /// continues, and the URLs that wait for their host are kept in an anonymous file in `TMPDIR`
    /// (or `/tmp`). There each URL takes about 25 bytes in addition to its text and its details
    /// from the list. The file disappears with the run, however it ends. If it can't be written,
    /// the log has a warning, and the list is read only as fast as its slow hosts answer.
    public var lookAhead: Int
    /// The deadline of one attempt, from its start to the last byte.
    ///
    /// Time in the queue doesn't count. `nil`, the default, leaves only the limits in ``timeouts``.
    public var timeout: Duration?
    /// The timeouts for the phases of an attempt.
    public var timeouts = BatchTimeouts()
    /// The per-host limits and rules.
    public var politeness = Politeness()
    /// The limits for the whole run.
    public var limits = BatchLimits()
    /// When to retry a failed URL.
    public var retry: BatchRetryPolicy
    /// Where to write the bodies; ``BatchOutput/discard`` by default.
    public var output: BatchOutput
    /// Checksums to compute for each body and report in its result; none by default. Verified
    /// checksums are reported in any case.
    public var digests: Set<DigestAlgorithm> = []
    /// Whether compressed bodies are decoded; true by default.
    ///
    /// If false, bodies are stored as the server sends them: with the `Content-Encoding` that
    /// ``BatchResult/contentEncoding`` names. gzip and deflate are accepted. Checksums are those of
    /// the stored bytes, so a request with ``BatchRequest/digests`` accepts no coding. Has no effect
    /// on ``BatchOutput/warc(in:limit:)``, which always stores bodies as they are sent.
    public var decodesContent = true
    /// Whether to send `HEAD` instead of `GET`, to fetch no bodies; false by default.
    public var isHeadOnly = false
    /// Whether a body's own file gets the time of `Last-Modified`; false by default.
    ///
    /// Without that field, the file has the time when it was written.
    public var usesRemoteTime = false
    /// Responses of an earlier run, to fetch only bodies that have changed.
    ///
    /// If the file of an earlier body still exists, the request asks the server whether that body
    /// is still current. `nil`, the default, fetches every body.
    public var since: EarlierResponses?
    /// Whether to keep partial files and resume them; `true` by default.
    ///
    /// When a transfer into a separate file breaks off, the part that has arrived is kept, and the
    /// next attempt of this run or a later one resumes it: `Range` requests the missing bytes, and
    /// `If-Range` makes sure that the body hasn't changed (RFC 9110, 13.1.5). Parts are kept in
    /// `.parts` in the output folder, which may be deleted between two runs. Only bodies of at
    /// least 1 MiB with a known length, a strong validator and no content coding are resumed.
    public var keepsPartialFiles = true
    /// In how many concurrent segments to fetch a large body.
    ///
    /// Applies to bodies of at least 32 MiB. Needs a server that supports ranges (`Accept-Ranges`)
    /// and sends a strong entity tag. A segment has at least 8 MiB. 1, the default, fetches each
    /// body in one request. The limits of the host apply to all segments together. Has no effect
    /// without ``keepsPartialFiles``.
    public var segments = 1
    /// Whether to offer HTTP/2 to `https` servers; the server decides.
    ///
    /// URLs of a host that chooses HTTP/2 share connections; the limits count each URL as if it had
    /// its own. `nil`, the default, offers HTTP/2 with libcurl 8.3 or newer: an older libcurl takes
    /// a body without a length for complete when the server resets its stream with `NO_ERROR`. With
    /// `true` a run fails to start if libcurl has no HTTP/2.
    public var offersHTTP2: Bool?
    /// Whether to connect to public addresses only; false by default.
    ///
    /// Set it for lists that others write. A URL whose host has only loopback, link-local, private,
    /// multicast, reserved or cloud metadata addresses fails with the code
    /// ``BatchFailure/Code/addressRefused``, and so does one that redirects there. The address is
    /// checked when a connection is made, after the name was resolved. It applies to `robots.txt`,
    /// too. With a proxy, which connects to servers by itself, or a Unix socket, a run fails to start.
    public var refusesPrivateAddresses = false
    /// Protected files in the output folder, which no body replaces; none by default.
    ///
    /// List the files that the program itself reads and writes. A URL whose body would get the name
    /// of one fails with the code ``BatchFailure/Code/nameCollision``. A journal and its results
    /// are always protected.
    public var protectedFiles: [String] = []
    /// How to connect to servers: proxies, TLS.
    public var connection = BatchConnection()
    /// What requests contain in addition to their lines in the list: header fields, credentials.
    public var requests = BatchRequestDefaults()
    /// The logger for the events of a run. `nil`, the default, costs nothing.
    ///
    /// Logs hosts that are paused, circuit breakers that open and close, retries with their causes,
    /// `robots.txt`, the start and the end; at `trace` each attempt. The run calls the log handler
    /// on its own thread. URLs are logged without user names, passwords and queries; header fields
    /// aren't logged.
    public var logger: Logger?
    /// Receives warnings of a run for the user of a program, in addition to the log.
    ///
    /// Called on a thread of the run, which waits meanwhile.
    package var onWarning: (@Sendable (String) -> Void)?
    /// The number of event loop threads; `nil`, the default, is one for each 256 URLs in flight.
    ///
    /// By default there are at most as many as processors, and at most four. The requests to a host
    /// use the same one, and further ones only while it is busy nearly all the time.
    public var eventLoopCount: Int?

    /// The number of event loop threads on a machine with so many processors.
    func eventLoopCount(processors: Int) -> Int {
        eventLoopCount ?? max(1, min(concurrency / 256, processors, 4))
    }

    /// The number of idle connections of each event loop.
    ///
    /// Hosts are served in turn, and a host's connection is idle between two turns. There may be many
    /// more hosts than URLs in flight. The connections to one host usually belong to one loop, so the
    /// limit isn't lower than the number of URLs that one host may have in flight.
    ///
    /// - Parameter openFiles: How many files and sockets the process may open.
    func idleConnections(loops: Int, openFiles: Int) -> Int {
        let ruled = politeness.rules.compactMap(\.concurrency).max() ?? 0
        let perHost = min(concurrency, max(concurrencyPerHost, ruled))
        let inTurn = min(16 * concurrency, Self.maximumIdleConnections, openFiles / 4)
        return max(64, max(inTurn, concurrency) / loops, perHost)
    }

    /// The number of connections that may wait for their hosts' turns, with all loops.
    private static let maximumIdleConnections = 1024

    /// How long a connection waits for its host's next turn.
    ///
    /// The connections of hosts without further URLs take places of the limit for this long.
    static let idleConnectionLifetime = Duration.seconds(15)

    /// Creates a configuration.
    public init(
        concurrency: Int = 256,
        concurrencyPerHost: Int = 6,
        lookAhead: Int = 10_000,
        timeout: Duration? = nil,
        retry: BatchRetryPolicy = BatchRetryPolicy(),
        output: BatchOutput = .discard,
        eventLoopCount: Int? = nil
    ) {
        self.concurrency = concurrency
        self.concurrencyPerHost = concurrencyPerHost
        self.lookAhead = lookAhead
        self.timeout = timeout
        self.retry = retry
        self.output = output
        self.eventLoopCount = eventLoopCount
    }

    /// Whether bodies are stored as they were transferred.
    var keepsEncoding: Bool { !decodesContent || output.keepsTransferred }

    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func validate() throws(BatchFailure) {
        for (name, value) in [
            ("concurrency", concurrency), ("concurrencyPerHost", concurrencyPerHost),
            ("lookAhead", lookAhead), ("segments", segments),
            ("eventLoopCount", eventLoopCount ?? 1),
            ("politeness.concurrencyPerDomain", politeness.concurrencyPerDomain ?? 1),
            ("politeness.concurrencyPerAddress", politeness.concurrencyPerAddress ?? 1),
        ] where value < 1 {
            throw BatchFailure(.configuration, "\(name) is \(value): use 1 or more")
        }
        guard retry.limit >= 0 else {
            throw BatchFailure(.configuration, "retry.limit is \(retry.limit): use 0 or more")
        }
        try output.validate()
        try timeouts.validate()
        try limits.validate()
        try connection.validate()
        try requests.validate()
        try validateAddressScope()
        if let timeout, timeout <= .zero {
            throw BatchFailure(.configuration, "timeout is \(timeout): use more than zero, or nil")
        }
    }
}

/// The limits of a whole run; `nil` is no limit.
public struct BatchLimits: Sendable, Hashable {
    /// The rate limit for starting requests to all hosts together, retries included.
    public var rate: RequestRate?
    /// Bytes of bodies per second, for all URLs together.
    ///
    /// A transfer that is too fast is paused. After small bodies, which arrive whole, the next
    /// start is delayed instead.
    public var bandwidth: Int64?
    /// The maximum size of one body, in bytes.
    ///
    /// A longer body fails with the code `body_too_large` as soon as its length is known.
    public var maximumBodyBytes: Int64?
    /// The maximum size of all bodies together, in bytes. The run is cancelled when it is reached.
    public var maximumTotalBytes: Int64?
    /// The maximum time of the whole run, from its start.
    ///
    /// Then the run ends as after ``BatchRun/stop()``: it starts no request any more, and cancels
    /// those in flight after ``grace``. ``BatchRun/stopFailure`` has the code `time_reached`. With a
    /// journal, a later run fetches the rest.
    public var maximumTime: Duration?
    /// How long URLs in flight may continue after ``maximumTime``; 10 s by default.
    public var grace = Duration.seconds(10)

    /// Creates limits that allow everything.
    public init() {}

    func validate() throws(BatchFailure) {
        for (name, value) in [
            ("limits.bandwidth", bandwidth), ("limits.maximumBodyBytes", maximumBodyBytes),
            ("limits.maximumTotalBytes", maximumTotalBytes),
        ] {
            guard let value, value < 1 else { continue }
            throw BatchFailure(.configuration, "\(name) is \(value): use 1 or more, or nil")
        }
        if let maximumTime, maximumTime <= .zero {
            throw BatchFailure(
                .configuration,
                "limits.maximumTime is \(maximumTime): use more than zero, or nil"
            )
        }
    }
}

/// The timeouts of an attempt's phases; `nil` is no timeout.
///
/// Time in the queue doesn't count. An expired timeout is a failure with the code `timeout`.
public struct BatchTimeouts: Sendable, Hashable {
    /// Until the connection is established: name lookup, connect and TLS. The default is 10
    /// seconds.
    public var connect: Duration? = .seconds(10)
    /// From the request until the complete response head. None by default.
    public var firstByte: Duration?
    /// Without a byte in either direction. The default is 60 seconds.
    public var stall: Duration? = .seconds(60)
    /// The minimum speed of a body; `nil`, the default, for none.
    ///
    /// Without it, a server that sends a byte now and then holds its place without end.
    public var minimumSpeed: MinimumSpeed?

    /// Creates the default timeouts.
    public init() {}

    func validate() throws(BatchFailure) {
        for (name, value) in [("connect", connect), ("firstByte", firstByte), ("stall", stall)] {
            guard let value, value <= .zero else { continue }
            throw BatchFailure(
                .configuration,
                "timeouts.\(name) is \(value): use more than zero, or nil"
            )
        }
        try minimumSpeed?.validate()
    }
}
