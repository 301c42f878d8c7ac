internal import FoundationEssentials

/// The checksum that a body must have.
public struct ExpectedDigest: Sendable, Hashable {
    /// How it is computed.
    public let algorithm: DigestAlgorithm
    /// The checksum itself.
    public let bytes: [UInt8]
    /// Who says so, for a message: `the list`, or the name of a header field.
    let source: String

    /// Creates one from hexadecimal digits; `nil` if there are too few, too many, or others.
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

    /// As header fields have it: base 64; `nil` for what is none.
    init?(_ algorithm: DigestAlgorithm, base64: some StringProtocol, source: String) {
        guard let data = Data(base64Encoded: String(base64)), data.count == algorithm.byteCount
        else { return nil }
        self.init(algorithm, bytes: [UInt8](data), source: source)
    }
}
