/// The result of one URL.
public struct BatchResult: Sendable, Hashable {
    /// The line as given; shortened if it was too long.
    public var url: String
    /// The number of the line in its list, from 1.
    public var line: Int
    /// The number of the URL in the whole input, from 1.
    ///
    /// Unique, unlike the line number, if there are several lists or a line stands for several
    /// URLs.
    public var ordinal: Int
    /// The list's tag for the URL, if any: ``BatchRequest/tag``.
    public var tag: String?
    /// The URL of the last response, after redirects; `nil` without a response.
    public var finalURL: String?
    /// The status of the last response; `nil` without one.
    public var status: Int?
    /// The URL that was used instead of ``url``: one of ``BatchRequest/mirrors``.
    ///
    /// `nil` if ``url`` itself was used. ``attempts`` counts those at all URLs of the line.
    public var mirror: String?
    /// Why it failed; `nil` if it was fetched.
    public var failure: BatchFailure?
    /// The number of attempts. It is 0 for a line that is not a URL.
    ///
    /// The redirects that an attempt follows don't count separately.
    public var attempts: Int
    /// The size of the last response's body after decoding, in bytes.
    public var bytes: Int64
    /// The size of the same body as transferred, in bytes. It is smaller if the body was
    /// compressed.
    public var transferredBytes: Int64 = 0
    /// The requested and the verified checksums of the decoded body.
    public var digests: [DigestAlgorithm: [UInt8]] = [:]
    /// The `ETag` of the last response.
    public var etag: String?
    /// The `Last-Modified` of the last response.
    public var lastModified: String?
    /// The `Content-Type` of the last response.
    public var contentType: String?
    /// The `Content-Encoding` of the body, if it isn't decoded
    /// (``BatchConfiguration/decodesContent``).
    public var contentEncoding: String?
    /// The HTTP version of the last response: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String?
    /// Whether the last attempt used a connection that had served another request.
    public var isConnectionReused: Bool
    /// The address and port of the last attempt's peer: `127.0.0.1:80`.
    public var peer: String?
    /// The ordinal of the first request of which this one is a duplicate, which isn't fetched.
    ///
    /// `nil` for all others: see ``BatchInput/Options/reportsDuplicates``. A duplicate has no
    /// failure, whether or not the first request is fetched.
    public var duplicateOf: Int?
    /// The start of the last attempt, in microseconds since 1970.
    public var startedAt: Int64?
    /// The key of the request, if a journal of an endless list needs it.
    var requestKey: UInt64?
    /// Where the body is.
    var place = BodyPlace()
    /// The durations of the last attempt's phases.
    public var timings: BatchTimings

    /// Creates a result for a URL without an attempt.
    public init(url: String, line: Int, ordinal: Int? = nil) {
        self.url = url
        self.line = line
        self.ordinal = ordinal ?? line
        attempts = 0
        bytes = 0
        isConnectionReused = false
        timings = BatchTimings()
    }

    /// Whether the URL was fetched.
    ///
    /// True for a complete response with a status of 200 … 299 whose body was written to the
    /// output, and for 304 if the body of an earlier run is current. True for an existing file that
    /// was kept, too.
    public var isFetched: Bool { failure == nil }
}

/// Where the body of a result is: in a file, in an archive, or in memory.
struct BodyPlace: Sendable, Hashable {
    var path: String?
    var isExisting = false
    var isUnchanged = false
    var shard: String?
    var shardOffset: Int64?
    var body: [UInt8]?
    /// The body, if it is too large to stay in memory. Only ``ResultLog`` reads it, once.
    var stored: StoredBody?
}

extension BatchResult {
    /// The file of the body, relative to the output folder.
    public var path: String? {
        get { place.path }
        set { place.path = newValue }
    }

    /// Whether a file with this name existed and was kept, with ``FileNaming/Existing/skip``.
    public var isExisting: Bool {
        get { place.isExisting }
        set { place.isExisting = newValue }
    }

    /// Whether the server confirmed an earlier run's body with 304.
    ///
    /// Then ``path``, ``bytes`` and ``digests`` describe that body: see ``EarlierResponses``.
    public var isUnchanged: Bool {
        get { place.isUnchanged }
        set { place.isUnchanged = newValue }
    }

    /// The archive that holds the body, relative to the output folder.
    public var shard: String? {
        get { place.shard }
        set { place.shard = newValue }
    }

    /// The offset of the body's entry in the archive, in bytes.
    public var shardOffset: Int64? {
        get { place.shardOffset }
        set { place.shardOffset = newValue }
    }

    /// The body, with ``BatchOutput/memory(limit:)``.
    public var body: [UInt8]? {
        get { place.body }
        set { place.body = newValue }
    }
}

/// The durations of an attempt's phases. A phase that didn't happen is `nil`.
///
/// An attempt on a reused connection has no name lookup, connect or TLS phase.
public struct BatchTimings: Sendable, Hashable {
    /// The time in the queue, until the start of the attempt. It begins when the URL is read, or at
    /// the end of the delay before a retry.
    public var queue: Duration?
    /// Looking up the host name.
    public var nameLookup: Duration?
    /// Connecting, after the lookup.
    public var connect: Duration?
    /// The TLS handshake, after connecting.
    public var tls: Duration?
    /// From the start of the last attempt until the first byte of the response.
    public var firstByte: Duration?
    /// From the start of the last attempt until its end.
    public var total: Duration?

    /// Creates timings of an attempt without any phase.
    public init() {}
}
