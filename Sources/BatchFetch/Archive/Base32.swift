/// Base 32 (RFC 4648, section 6) of whole groups of five bytes, such as a SHA-1 has.
enum Base32 {
    static func text(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 5) {
            let group = (0..<5).map { start + $0 < bytes.count ? UInt64(bytes[start + $0]) : 0 }
            let bits = group.reduce(0) { $0 << 8 | $1 }
            for position in 0..<8 {
                text.append(alphabet[Int(bits >> UInt64(35 - 5 * position) & 31)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
