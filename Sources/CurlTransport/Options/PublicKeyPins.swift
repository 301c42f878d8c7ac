/// Converts public-key pins to the only form that is passed to libcurl.
enum PublicKeyPins {
    private static let prefix = "sha256//"

    /// `sha256//…;sha256//…`, or nil if there are no pins.
    ///
    /// libcurl would interpret other texts as the name of a file, which is never intended.
    static func joined(_ pins: [String], _ option: String) throws(InvalidOption) -> String? {
        var parts: [String] = []
        for (index, pin) in pins.enumerated() {
            let digest = pin.hasPrefix(prefix) ? pin.dropFirst(prefix.count) : pin[...]
            guard isDigest(digest) else {
                throw InvalidOption(
                    "\(option)[\(index)]",
                    "is no SHA-256 digest; give 44 characters of base64, the last one “=”"
                )
            }
            parts.append(prefix + digest)
        }
        return parts.isEmpty ? nil : parts.joined(separator: ";")
    }

    /// Whether this is 32 bytes in canonical base64: libcurl compares the text.
    private static func isDigest(_ text: Substring) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 44, bytes[43] == UInt8(ascii: "=") else { return false }
        guard bytes[..<43].allSatisfy({ value(of: $0) != nil }) else { return false }
        // The last character carries four bits of the digest and two that must be zero.
        return value(of: bytes[42]).map { $0 & 0b11 == 0 } ?? false
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
