internal import FoundationEssentials

/// Encodes bytes in base 64, piece by piece.
struct Base64Pieces: Sendable {
    /// Up to two bytes that aren't encoded yet.
    private var rest: [UInt8] = []

    /// Encodes the next bytes, except up to two.
    mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
        rest += bytes
        let count = rest.count / 3 * 3
        let text = Self.text(rest[..<count])
        rest.removeFirst(count)
        return text
    }

    /// Encodes the remaining bytes, with padding.
    mutating func end() -> [UInt8] {
        let text = Self.text(rest[...])
        rest = []
        return text
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(Data(bytes).base64EncodedString().utf8)
    }
}
