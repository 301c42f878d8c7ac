/// The serializer of `application/x-www-form-urlencoded` (WHATWG URL, 5.2).
package enum URLEncodedForm {
    /// The pairs as `name=value&name=value`, in UTF-8.
    package static func encode(_ pairs: some Sequence<(String, String)>) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, (name, value)) in pairs.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            append(name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(value, to: &bytes)
        }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if byte == ASCII.space {
                bytes.append(UInt8(ascii: "+"))
            } else if isPlain(byte) {
                bytes.append(byte)
            } else {
                PercentCoding.append(escapeOf: byte, to: &bytes)
            }
        }
    }

    /// Letters, digits, and `*`, `-`, `.` and `_`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "*")
            || byte == UInt8(ascii: "-") || byte == ASCII.dot || byte == UInt8(ascii: "_")
    }
}
