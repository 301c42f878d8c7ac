/// Bytes that are written as a percent sign and two hexadecimal digits (RFC 3986, 2.1).
enum PercentCoding {
    /// The bytes that `text` stands for; `nil` where two hexadecimal digits don't follow a percent
    /// sign.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
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
