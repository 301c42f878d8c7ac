/// A parameter's value with its charset, as in `UTF-8''%e2%82%ac` (RFC 8187, which was RFC 5987).
enum ExtendedValue {
    /// The text that such a value stands for; `nil` if it isn't one, or its charset isn't one of the
    /// two that RFC 5987 asks for, UTF-8 and ISO-8859-1. The language is passed over.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecoded(parts[2].utf8) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8":
            return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            return nil
        }
    }

    /// `nil` where two hexadecimal digits don't follow a percent sign.
    private static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
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

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt8? {
        switch lowercasedASCII {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): lowercasedASCII - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
