/// Decodes percent-encoding (RFC 3986, 2.1).
package enum PercentCoding {
    /// The decoded bytes; `nil` if a percent sign isn't followed by two hexadecimal digits.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue,
                let low = rest.popFirst()?.hexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// Decodes parameter values with a charset, as in `UTF-8''%e2%82%ac` (RFC 8187).
///
/// RFC 8187 replaces RFC 5987.
package enum ExtendedValue {
    /// The decoded text; `nil` if the value is malformed or has another charset.
    ///
    /// The charsets are those that RFC 5987 requires, UTF-8 and ISO-8859-1. The language is
    /// ignored.
    package static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentCoding.decode(parts[2].utf8) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8":
            return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            return nil
        }
    }
}
