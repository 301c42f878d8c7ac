/// One line of a `robots.txt` that allows or disallows paths (RFC 9309, 2.2.2).
struct RobotsRule: Sendable, Hashable {
    private let pattern: [UInt8]
    let isAllowed: Bool

    /// - Parameter path: What paths begin with; `*` is anything, a `$` at the end the end.
    init(_ path: String, isAllowed: Bool) {
        pattern = Self.normalized(path)
        self.isAllowed = isAllowed
    }

    /// The longest rule that fits counts.
    var length: Int { pattern.count }

    /// Whether a normalized path begins as the pattern says.
    func fits(_ path: [UInt8]) -> Bool {
        let isAnchored = pattern.last == UInt8(ascii: "$")
        let body = isAnchored ? pattern.dropLast() : pattern[...]
        var (position, place) = (body.startIndex, 0)
        var retry: (position: Int, place: Int)?
        while true {
            if position == body.endIndex, !isAnchored || place == path.count { return true }
            if position < body.endIndex, body[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, place)
            } else if position < body.endIndex, place < path.count, body[position] == path[place] {
                position += 1
                place += 1
            } else if let last = retry, last.place < path.count {
                retry = (last.position, last.place + 1)
                (position, place) = (last.position, last.place + 1)
            } else {
                return false
            }
        }
    }

    /// Bytes beyond ASCII percent-encoded, and what needs no encoding not encoded; without a fragment.
    static func normalized(_ path: String) -> [UInt8] {
        var result: [UInt8] = []
        let bytes = Array(path.utf8.prefix { $0 != UInt8(ascii: "#") })
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), let code = code(bytes[index...].prefix(2)) {
                index += 2
                if isUnreserved(code) { result.append(code) } else { append(code, to: &result) }
            } else if byte > 0x7F {
                append(byte, to: &result)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Of two hexadecimal digits.
    private static func code(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
