/// A checksum that libcrypto computes.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-512 (FIPS 180-4).
    case sha512
    /// SHA-1 (RFC 3174). It tells accidents, not attacks.
    case sha1
    /// MD5 (RFC 1321). It tells accidents, not attacks.
    case md5

    /// How many bytes the checksum has.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .sha1: 20
        case .md5: 16
        }
    }

    /// The algorithm of that name in a `Digest`, `Repr-Digest` or `Content-Digest` field, in lower
    /// case (RFC 3230, RFC 9530).
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
