/// Normalises percent-encoded text (RFC 3986, 6.2.2.2).
enum PercentEncoding {
    /// Decodes escapes of unreserved characters, and writes other escapes in upper case.
    ///
    /// Leaves an invalid escape unchanged.
    ///
    /// - Parameter encodesOthers: Whether to escape non-ASCII bytes.
    static func normalized(
        _ text: Substring.UTF8View,
        encodesOthers: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hexadecimal.bytes(of: String(decoding: rest.prefix(2), as: UTF8.self))
            else {
                if encodesOthers, byte > 0x7F {
                    append(byte, to: &bytes)
                } else {
                    bytes.append(byte)
                }
                continue
            }
            rest = rest.dropFirst(2)
            if isUnreserved(value[0]) {
                bytes.append(value[0])
            } else {
                append(value[0], to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += "%\(Hexadecimal.text(CollectionOfOne(byte)).uppercased())".utf8
    }

    /// Whether a byte is an unreserved character (RFC 3986, 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~".utf8.contains(byte)
        }
    }
}
