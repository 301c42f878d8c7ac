/// Base64 with the standard alphabet and padding. Source: RFC 4648, section 4.
package enum Base64 {
    /// The 64 digits, in the order of their values.
    package static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(3 - group.count) * 8
            for position in 0..<4 {
                let index = Int(bits >> UInt32(18 - position * 6) & 63)
                output.append(
                    position <= group.count ? digits[index] : UInt8(ascii: "=")
                )
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
