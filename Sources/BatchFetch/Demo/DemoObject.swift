import Curl

/// One of the demo's objects: its size and each of its bytes follow from its path.
///
/// The bytes are words of a mixed counter, little-endian: any part of a body can be told without
/// the parts before it, and no two bodies, nor two parts of one, are alike.
package struct DemoObject: Sendable, Hashable {
    /// The path of its URL.
    package let path: String
    /// Bytes of its body.
    package let size: Int
    private let seed: UInt64

    /// The object with that number: one in twenty is empty, most have a few kilobytes, and one in
    /// two hundred has 1 MiB.
    package init(number: Int) {
        self.init(path: "/objects/\(number)")
    }

    /// The object of a path.
    package init(path: String) {
        self.path = path
        seed = StableHash.hash(path.utf8)
        size = Self.size(StableHash.mixed(seed ^ 0x5153))
    }

    private static func size(_ random: UInt64) -> Int {
        let within = Int(random >> 32)
        return switch random % 200 {
        case 0..<10: 0
        case 10: 1 << 20
        case 11..<130: within % (4 << 10)
        case 130..<180: within % (32 << 10)
        default: within % (128 << 10)
        }
    }

    /// Appends the bytes from `offset` on, at most `count`.
    package func append(to bytes: inout [UInt8], from offset: Int, count: Int) {
        let end = min(size, offset + count)
        guard offset < end else { return }
        bytes.append(addingCapacity: end - offset) { output in
            var position = offset
            while position < end {
                var word = self.word(position >> 3) >> UInt64((position & 7) * 8)
                let stop = min(end, (position | 7) + 1)
                while position < stop {
                    output.append(UInt8(truncatingIfNeeded: word))
                    word >>= 8
                    position += 1
                }
            }
        }
    }

    /// Whether `bytes` are those from `offset` on.
    package func matches(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + bytes.count <= size else { return false }
        var index = 0
        while index < bytes.count {
            let position = offset + index
            var word = self.word(position >> 3) >> UInt64((position & 7) * 8)
            let stop = min(bytes.count, index + 8 - (position & 7))
            while index < stop {
                guard bytes[index] == UInt8(truncatingIfNeeded: word) else { return false }
                word >>= 8
                index += 1
            }
        }
        return true
    }

    private func word(_ index: Int) -> UInt64 {
        StableHash.mixed(seed &+ UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15)
    }
}
