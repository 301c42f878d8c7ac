public import HTTPTypes

/// A URL of a list with all that a list may say about it.
public struct BatchRequest: Sendable, Hashable {
    /// The content that is sent with a request.
    public enum Body: Sendable, Hashable {
        /// None.
        case none
        /// These bytes.
        case bytes([UInt8])
        /// The bytes of a regular file, which is read while it is sent.
        case file(path: String)
    }

    /// An `http` or `https` URL.
    public var url: String
    /// The method; `GET` unless told otherwise.
    public var method: HTTPRequest.Method = .get
    /// Fields that are sent beside those that HTTP itself needs.
    public var headerFields: HTTPFields = [:]
    /// The content that is sent.
    public var body: Body = .none
    /// How long one attempt may take, instead of ``BatchConfiguration/timeout``.
    public var timeout: Duration?
    /// The name of the body's file below the output folder, made safe; `nil` leaves it to the
    /// output.
    public var name: String?
    /// What the body must be: another one is a failure.
    public var digests: [ExpectedDigest] = []
    /// Any text, which comes back with the result, and may be part of names.
    public var tag: String?
    /// Above zero: before the other URLs of its host that wait. 0 unless told otherwise.
    public var priority = 0

    /// Creates a request.
    public init(url: String) {
        self.url = url
    }

    /// Whether nothing but the URL was given, as with most lists.
    var isPlain: Bool {
        method == .get && headerFields.isEmpty && body == .none && timeout == nil && name == nil
            && digests.isEmpty && tag == nil && priority == 0
    }

    /// Whether it may be repeated though the server may have acted on it: by its method (RFC 9110,
    /// 9.2.2), or because its `Idempotency-Key` lets the server know a repetition.
    var isIdempotent: Bool {
        if headerFields.contains(where: { $0.name.canonicalName == "idempotency-key" }) {
            return true
        }
        return isMethodIdempotent
    }

    private var isMethodIdempotent: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
