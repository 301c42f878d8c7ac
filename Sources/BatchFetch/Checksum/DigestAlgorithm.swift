internal import FoundationEssentials
internal import HTTPSemantics
import Synchronization

/// A checksum that libcrypto computes.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-512 (FIPS 180-4).
    case sha512
    /// SHA-1 (RFC 3174). It detects accidents, not attacks.
    case sha1
    /// MD5 (RFC 1321). It detects accidents, not attacks.
    case md5

    /// The length of the checksum in bytes.
    public var byteCount: Int { function.byteCount }

    var function: MessageDigest.Function {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .sha1: .sha1
        case .md5: .md5
        }
    }

    /// Finds the algorithm by its name in a digest field.
    ///
    /// The name is in lower case, as in `Digest` (RFC 3230), `Repr-Digest` or `Content-Digest` (RFC
    /// 9530).
    init?(fieldName: String) {
        switch fieldName {
        case "sha-256": self = .sha256
        case "sha-512": self = .sha512
        case "sha": self = .sha1
        case "md5": self = .md5
        default: return nil
        }
    }
}

/// The checksum that a body must have.
public struct ExpectedDigest: Sendable, Hashable {
    /// The algorithm of the checksum.
    public let algorithm: DigestAlgorithm
    /// The checksum itself.
    public let bytes: [UInt8]
    /// The source of the checksum, for messages. It is `the list`, or the name of a header field.
    let source: String

    /// Creates a checksum from hexadecimal digits. Returns `nil` if their number is wrong or one is
    /// invalid.
    public init?(_ algorithm: DigestAlgorithm, hexadecimal: String) {
        guard let bytes = Hexadecimal.bytes(of: hexadecimal),
            bytes.count == algorithm.byteCount
        else { return nil }
        self.init(algorithm, bytes: bytes, source: "the list")
    }

    init(_ algorithm: DigestAlgorithm, bytes: [UInt8], source: String) {
        self.algorithm = algorithm
        self.bytes = bytes
        self.source = source
    }

    /// Creates a checksum from base 64, as in header fields. Returns `nil` if it is invalid.
    init?(_ algorithm: DigestAlgorithm, base64: some StringProtocol, source: String) {
        guard let data = Data(base64Encoded: String(base64)), data.count == algorithm.byteCount
        else { return nil }
        self.init(algorithm, bytes: [UInt8](data), source: source)
    }
}

/// The checksum of a body that is arriving.
package final class RunningDigest: Sendable {
    let algorithm: DigestAlgorithm
    /// Only one thread at a time uses it. The lock is never contended.
    private let digest: Mutex<MessageDigest?>

    package init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        digest = Mutex(MessageDigest(algorithm.function))
    }

    package func update(_ bytes: Span<UInt8>) {
        digest.withLock { $0?.update(bytes) }
    }

    /// Returns the checksum; empty if the system can't compute it. Only the first call has a
    /// result.
    package func finish() -> [UInt8] {
        digest.withLock { $0.take()?.finish() ?? [] }
    }
}
