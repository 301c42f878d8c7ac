internal import CurlTransport
public import HTTPTypes

/// A URL with all details that a list can give.
public struct BatchRequest: Sendable, Hashable {
    /// The content that is sent with a request.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Body: Sendable, Hashable {
        /// No content.
        case none
        /// These bytes.
        case bytes([UInt8])
        /// The bytes of a regular file, which is read while it is sent.
        case file(path: String)
    }

    /// An `http` or `https` URL.
    public var url: String
    /// The method; `GET` by default.
    public var method: HTTPRequest.Method = .get
    /// Header fields to send in addition to those that HTTP itself needs.
    ///
    /// After a redirect to another origin (scheme, host or port), only these are sent: `Accept…`,
    /// `Cache-Control`, `DNT`, `From`, `Idempotency-Key`, `If-…`, `Pragma`, `Prefer`, `Range`,
    /// `User-Agent`, and the fields that describe a body.
    public var headerFields: HTTPFields = [:]
    /// The content to send; none by default.
    public var body: Body = .none
    /// The deadline of one attempt, instead of ``BatchConfiguration/timeout``.
    public var timeout: Duration?
    /// The file name of the body below the output folder. `nil` leaves it to the output.
    ///
    /// Unsafe characters are replaced.
    public var name: String?
    /// The expected checksums of the body; a mismatch is a failure.
    public var digests: [ExpectedDigest] = []
    /// Any text. It is returned in the result and can be part of file names.
    public var tag: String?
    /// Above 0, the URL goes before its host's other queued URLs. The default is 0.
    public var priority = 0

    /// Other URLs of the same body. The next one is tried when a URL has failed.
    ///
    /// A URL has failed after its retries, and without retries for a status that isn't temporary, a
    /// host that can't be used, or a body with a wrong checksum. The limits of each URL's host
    /// apply. Files are named after ``url``, and results refer to it; ``BatchResult/mirror`` is the
    /// URL that was used. Only requests without content that are `GET` or `HEAD` may have mirrors.
    /// At most ``maximumMirrorCount``; none by default.
    public var mirrors: [String] = []
    /// Whether mirrors get all ``headerFields``, with the credentials that they contain.
    ///
    /// False by default: a mirror with another origin (scheme, host or port) than ``url`` gets only
    /// the fields that a redirect there gets. `Host` and `Origin` are never sent to another origin.
    public var sharesCredentials = false

    /// The maximum number of mirrors.
    public static let maximumMirrorCount = 63
    /// Whether a redirect from another origin led to it.
    ///
    /// The run's own credentials aren't sent then.
    var isBeyondOrigin = false

    /// Creates a request.
    public init(url: String) {
        self.url = url
    }

    /// Whether only the URL was given, as in most lists.
    var isPlain: Bool {
        method == .get && headerFields.isEmpty && body == .none && timeout == nil && name == nil
            && digests.isEmpty && tag == nil && priority == 0 && mirrors.isEmpty && !isBeyondOrigin
    }

    /// Whether the request may be repeated after the server processed it.
    ///
    /// True for an idempotent method (RFC 9110, 9.2.2) and for a request with `Idempotency-Key`, by
    /// which the server recognises a repetition.
    var isIdempotent: Bool {
        method.isIdempotent
            || headerFields.contains { $0.name.canonicalName == "idempotency-key" }
    }
}
