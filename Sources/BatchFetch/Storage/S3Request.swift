import CurlTransport
internal import FoundationEssentials
internal import HTTPSemantics
import HTTPTypes
import Posix

/// A request to object storage. It may be sent several times.
struct S3Request: Sendable {
    /// What the request sends.
    enum Content: Sendable {
        case none
        case bytes([UInt8])
        case part(SpooledBody, Range<Int64>)
    }

    let method: HTTPRequest.Method
    /// The key of the object; `nil` for the bucket.
    var key: String?
    var query: [String: String] = [:]
    var headerFields: HTTPFields = [:]
    var content = Content.none
    /// An element that the answer must have; `nil` if a status of 200 to 299 is enough.
    var requiredElement: String?

    init(_ method: HTTPRequest.Method, key: String? = nil, query: [String: String] = [:]) {
        self.method = method
        self.key = key
        self.query = query
    }

    /// The SHA-256 of the content, which the server verifies.
    private func digest() throws(FileError) -> [UInt8] {
        switch content {
        case .none: MessageDigest.of([], .sha256)
        case .bytes(let bytes): MessageDigest.of(bytes, .sha256)
        case .part(let content, let range): try content.digest(of: range)
        }
    }

    /// Adds the SHA-256 of the content to the fields: that of the signature, and for an object or a
    /// part the one that the server keeps.
    ///
    /// - Returns: The SHA-256 in base 64.
    mutating func addDigest() throws(S3Error) -> String {
        let digest: [UInt8]
        do throws(FileError) {
            digest = try self.digest()
        } catch {
            throw .file(error)
        }
        guard !digest.isEmpty else { throw .noDigest }
        headerFields[.contentSHA256] = Hexadecimal.text(digest)
        let text = Self.checksum(digest)
        if method == .put { headerFields[.checksumSHA256] = text }
        return text
    }

    /// A SHA-256 as `x-amz-checksum-sha256` has it: in base 64.
    static func checksum(_ digest: [UInt8]) -> String { Data(digest).base64EncodedString() }

    /// The content for the transport.
    var body: RequestBody {
        switch content {
        case .none: return .none
        case .bytes(let bytes): return .bytes(bytes)
        case .part(let content, let range):
            let chunks = PartChunks(content: content, range: range)
            return .stream(length: Int64(range.count), restartable: { chunks })
        }
    }
}

extension HTTPField.Name {
    static let contentSHA256 = Self("x-amz-content-sha256") ?? .contentType
    static let checksumSHA256 = Self("x-amz-checksum-sha256") ?? .contentType
    static let checksumAlgorithm = Self("x-amz-checksum-algorithm") ?? .contentType
    static let checksumMode = Self("x-amz-checksum-mode") ?? .contentType
    static let bucketRegion = Self("x-amz-bucket-region") ?? .contentType
}

/// An answer of object storage whose status is 200 to 299.
struct S3Answer: Sendable {
    let headerFields: HTTPFields
    /// The content, if it is XML.
    let element: S3Element?
    /// Whether the request was sent more than once, so that the server may have acted on it before.
    let isRepeated: Bool
}

/// Why a request to object storage failed.
enum S3Error: Error, Sendable {
    case refused(S3Refusal)
    case transport(TransportError)
    case file(FileError)
    /// The content of an answer isn't what it should be.
    case invalidAnswer(String)
    case noDigest
    case cancelled

    /// The server's code; `nil` for other errors.
    var code: String? { if case .refused(let refusal) = self { refusal.code } else { nil } }
}

/// An answer with an error.
struct S3Refusal: Sendable, Hashable {
    let status: Int
    /// The code, such as `NoSuchBucket`; empty if the server sent none.
    let code: String
    /// The server's explanation in one line; may be empty.
    let message: String
    /// The region of the bucket, if the server said that it is another one.
    let region: String?
    /// Whether the request was sent more than once, so that the server may have acted on it before.
    var isRepeated = false

    private static let longest = 300

    init(status: Int, _ headerFields: HTTPFields, _ element: S3Element?) {
        let error = element?.name == "Error" ? element : nil
        self.status = status
        code = Self.line(error?["Code"] ?? "")
        message = Self.line(error?["Message"] ?? "")
        region = (headerFields[.bucketRegion] ?? error?["Region"]).map(Self.line)
    }

    /// The text in one line, without control characters.
    private static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(longest).map { scalar in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? " " : scalar
        }
        var line = String(String.UnicodeScalarView(scalars))
        while let last = line.last, last == " " || last == "." { line.removeLast() }
        return line
    }

    /// Whether the same request may succeed later.
    var isTransient: Bool {
        TransientStatus.codes.contains(status)
            || [
                "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable",
                "OperationAborted", "RequestLimitExceeded",
                // An earlier request for the same object may not have ended.
                "ConditionalRequestConflict",
            ].contains(code)
    }
}
