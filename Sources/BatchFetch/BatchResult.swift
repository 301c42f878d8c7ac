/// What became of one URL.
public struct BatchResult: Sendable, Hashable {
    /// The line as it was given; shortened where it was too long.
    public var url: String
    /// The line's number in its list, from 1.
    public var line: Int
    /// Which one of the whole input it is, from 1: unlike the line, never another one's, where
    /// there are several lists, or a line stands for several URLs.
    public var ordinal: Int
    /// What the list calls it, if it does: ``BatchRequest/tag``.
    public var tag: String?
    /// The URL of the last response, after redirects; `nil` without a response.
    public var finalURL: String?
    /// The status of the last response; `nil` without one.
    public var status: Int?
    /// Why it failed; `nil` if it was fetched.
    public var failure: BatchFailure?
    /// How many attempts were made; 0 for a line that is no URL. The redirects that one follows are
    /// part of it.
    public var attempts: Int
    /// Bytes of the last response's body, decoded.
    public var bytes: Int64
    /// The same as they were transferred: fewer where they were compressed.
    public var transferredBytes: Int64 = 0
    /// Checksums of the body, decoded: those that were asked for, and those that were verified.
    public var digests: [DigestAlgorithm: [UInt8]] = [:]
    /// The `ETag` of the last response.
    public var etag: String?
    /// The `Last-Modified` of the last response.
    public var lastModified: String?
    /// The `Content-Type` of the last response.
    public var contentType: String?
    /// The protocol of the last response: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String?
    /// Whether the last attempt went over a connection that had served another.
    public var isConnectionReused: Bool
    /// The address and port that the last attempt was connected to: `127.0.0.1:80`.
    public var peer: String?
    /// When the last attempt was started: microseconds since 1970.
    public var startedAt: Int64?
    /// The body's file, relative to the output folder.
    public var path: String?
    /// Whether a file of its name was there already, which stays; with
    /// ``FileNaming/Existing/skip``.
    public var isExisting = false
    /// Whether the server said (304) that the body is still that of an earlier run, which
    /// ``path``, ``bytes`` and ``digests`` tell of: see ``EarlierResponses``.
    public var isUnchanged = false
    /// The archive that has the body, relative to the output folder.
    public var shard: String?
    /// Where in the archive its entry begins, in bytes.
    public var shardOffset: Int64?
    /// The body, with ``BatchOutput/memory(limit:)``.
    public var body: [UInt8]?
    /// How long the phases of the last attempt took.
    public var timings: BatchTimings

    /// Creates a result of a URL that was not tried yet.
    public init(url: String, line: Int, ordinal: Int? = nil) {
        self.url = url
        self.line = line
        self.ordinal = ordinal ?? line
        attempts = 0
        bytes = 0
        isConnectionReused = false
        timings = BatchTimings()
    }

    /// Whether it was fetched: a response with a status of 200 … 299, complete, and put where it
    /// was to go; or 304 where the body of an earlier run is still the right one.
    public var isFetched: Bool { failure == nil }
}
