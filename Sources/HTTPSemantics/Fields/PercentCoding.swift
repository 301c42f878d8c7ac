/// Percent-encoding (RFC 3986, 2.1).
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

    /// Decodes escapes of unreserved characters, and writes other escapes in upper case (RFC 3986,
    /// 6.2.2).
    ///
    /// Leaves an invalid escape unchanged.
    ///
    /// - Parameter encodesOthers: Whether to escape non-ASCII bytes.
    package static func normalized(
        _ text: Substring.UTF8View,
        encodesOthers: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                rest = rest.dropFirst(2)
                let value = high << 4 | low
                if value.isUnreserved {
                    bytes.append(value)
                } else {
                    append(escapeOf: value, to: &bytes)
                }
            } else if encodesOthers, byte > 0x7f {
                append(escapeOf: byte, to: &bytes)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Appends a percent sign and two digits in upper case.
    package static func append(escapeOf byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
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
