/// What became of one URL.
public struct BatchResult: Sendable, Hashable {
    /// The line as it was given; shortened where it was too long.
    public var url: String
    /// The line's number in the input, from 1.
    public var line: Int
    /// The URL of the last response, after redirects; `nil` without a response.
    public var finalURL: String?
    /// The status of the last response; `nil` without one.
    public var status: Int?
    /// Why it failed; `nil` if it was fetched.
    public var failure: BatchFailure?
    /// How many attempts were made; 0 for a line that is no URL.
    public var attempts: Int
    /// Bytes of the last response's body, decoded.
    public var bytes: Int64
    /// The `Content-Type` of the last response.
    public var contentType: String?
    /// The protocol of the last response: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String?
    /// Whether the last attempt went over a connection that had served another.
    public var isConnectionReused: Bool
    /// Where the body is, with ``BatchOutput/directory(_:)``.
    public var path: String?
    /// The body, with ``BatchOutput/memory(limit:)``.
    public var body: [UInt8]?
    /// How long the phases of the last attempt took.
    public var timings: BatchTimings

    /// Creates a result of a URL that was not tried yet.
    public init(url: String, line: Int) {
        self.url = url
        self.line = line
        attempts = 0
        bytes = 0
        isConnectionReused = false
        timings = BatchTimings()
    }

    /// Whether it was fetched: a response with a status of 200 … 299, complete, and put where it
    /// was to go.
    public var isFetched: Bool { failure == nil }
}
