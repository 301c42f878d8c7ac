public import Logging

/// How a batch is fetched.
public struct BatchConfiguration: Sendable {
    /// The most URLs in flight at once; 256 unless told otherwise. Each takes a socket: compare
    /// ``OpenFiles/raiseLimit()``.
    public var concurrency: Int
    /// The most URLs of one host (name and port) in flight at once; 6 unless told otherwise.
    public var concurrencyPerHost: Int
    /// How many URLs are read ahead of those in flight, so that others take the place of those
    /// whose host is at its limit. Each costs some 200 bytes. 10,000 unless told otherwise. Where few
    /// hosts fill that for a second while more could be in flight (a list that is sorted by host, and
    /// whose first host is slow), reading goes on: what waits for its host is kept in a file without a
    /// name below `TMPDIR` (or `/tmp`), which takes some 25 bytes for each beside the URL itself and what
    /// the list says about it, and is gone with the run, however it ends.
    public var lookAhead: Int
    /// How long one attempt may take from its start to the last byte of the body; time in which a
    /// URL waits for its turn doesn't count. `nil`, the default, is no limit beside
    /// ``timeouts``.
    public var timeout: Duration?
    /// How long the phases of an attempt may take.
    public var timeouts = BatchTimeouts()
    /// How hosts are treated.
    public var politeness = Politeness()
    /// What the run may use in all.
    public var limits = BatchLimits()
    /// When a failed URL is tried again.
    public var retry: RetryPolicy
    /// Where the bodies go; nowhere unless told otherwise.
    public var output: BatchOutput
    /// Checksums that are computed of each body and told in its result, beside those that are
    /// verified.
    public var digests: Set<DigestAlgorithm> = []
    /// Whether bodies aren't asked for: `HEAD` is sent in place of `GET`.
    public var isHeadOnly = false
    /// Responses of an earlier run: where a body is still there, the server is asked whether it is
    /// still the right one. `nil`, the default, asks for all bodies.
    public var since: EarlierResponses?
    /// Whether what has come of a body that is a file of its own is kept when its transfer breaks off,
    /// and gone on with by the next attempt, in this run or another: `Range` asks for what is missing,
    /// and `If-Range` makes sure that it is the same body still (RFC 9110, 13.1.5). It is kept in
    /// `.parts` in the output folder, which may be removed between two runs. That goes for bodies of at
    /// least a megabyte (MiB) whose length is known, with a strong validator, without content coding.
    /// `true` by default.
    public var keepsPartialFiles = true
    /// In how many pieces a body of at least 32 MiB is fetched at once, where the server says that it
    /// can be (`Accept-Ranges`) and names it by a strong entity tag; a piece has at least 8 MiB. 1, the
    /// default, fetches all in one. The limits of its host hold for all pieces together. Nothing
    /// without ``keepsPartialFiles``.
    public var segments = 1
    /// Whether HTTP/2 is offered to `https` servers, which choose. The URLs of a host that chooses it share
    /// connections, and the limits count them as if each had its own. `nil`, the default, offers it where
    /// libcurl is 8.0 or newer: an older one takes a body without a length for whole where the server
    /// resets its stream with `NO_ERROR`. With `true` a run fails to start where libcurl has no HTTP/2.
    public var offersHTTP2: Bool?
    /// Files that no body replaces though they are in the output folder: those that the program itself reads
    /// and writes. A URL whose body would have the name of one is a failure with the code
    /// ``BatchFailure/Code/nameCollision``. A journal and its results are among them anyway.
    public var sparedFiles: [String] = []
    /// Is told what happens: hosts that are held, circuit breakers that open and close, further attempts
    /// with their causes, `robots.txt`, the beginning and the end; at `trace` each attempt. Its handler
    /// is called on a thread of the run's own. URLs are told without user names, passwords and queries,
    /// and no header fields are. `nil`, the default, costs nothing.
    public var logger: Logger?
    /// Event loop threads of the transport; `nil` leaves the number to it.
    public var eventLoopCount: Int?

    /// Creates a configuration.
    public init(
        concurrency: Int = 256,
        concurrencyPerHost: Int = 6,
        lookAhead: Int = 10_000,
        timeout: Duration? = nil,
        retry: RetryPolicy = RetryPolicy(),
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

    /// - Throws: ``BatchFailure/Code/configuration`` for a value that makes no sense.
    func validate() throws(BatchFailure) {
        for (name, value) in [
            ("concurrency", concurrency), ("concurrencyPerHost", concurrencyPerHost),
            ("lookAhead", lookAhead), ("segments", segments),
            ("eventLoopCount", eventLoopCount ?? 1),
        ] where value < 1 {
            throw BatchFailure(.configuration, "\(name) is \(value): use 1 or more")
        }
        guard retry.limit >= 0 else {
            throw BatchFailure(.configuration, "retry.limit is \(retry.limit): use 0 or more")
        }
        try timeouts.validate()
        try limits.validate()
        if let timeout, timeout <= .zero {
            throw BatchFailure(.configuration, "timeout is \(timeout): use more than zero, or nil")
        }
    }
}
