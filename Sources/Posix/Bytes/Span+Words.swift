// Operations on bytes, a machine word at a time.

extension Array where Element == UInt8 {
    /// Combines the bytes from `start` on with the repeated bytes of `key` by exclusive or.
    ///
    /// The first byte is combined with the lowest eight bits of `key`, and so is the fifth.
    package mutating func combine(from start: Int, with key: UInt32) {
        let wide = UInt64(key) | UInt64(key) << 32
        unsafe withUnsafeMutableBytes { bytes in
            var index = start
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                unsafe bytes.storeBytes(
                    of: word ^ wide.littleEndian,
                    toByteOffset: index,
                    as: UInt64.self
                )
                index += 8
            }
            var rest = wide
            while index < bytes.count {
                unsafe bytes[index] ^= UInt8(truncatingIfNeeded: rest)
                rest >>= 8
                index += 1
            }
        }
    }
}

extension Span where Element == UInt8 {
    /// Adds the bytes and their number to a 64-bit checksum.
    ///
    /// A change within one word of eight bytes always changes the result: each step is a bijection
    /// of the word and of the previous checksum. It detects accidental changes, not deliberate
    /// ones.
    package func checksum(after checksum: UInt64) -> UInt64 {
        unsafe withUnsafeBytes { bytes in
            var sum = Self.mixed(checksum, UInt64(bytes.count))
            var index = 0
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                sum = Self.mixed(sum, word.littleEndian)
                index += 8
            }
            var rest: UInt64 = 0
            while index < bytes.count {
                rest = unsafe rest << 8 | UInt64(bytes[index])
                index += 1
            }
            return Self.mixed(sum, rest)
        }
    }

    private static func mixed(_ checksum: UInt64, _ word: UInt64) -> UInt64 {
        // An odd factor, and a shift that mixes the high bits into the low ones. Both are
        // invertible.
        let product = (checksum ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ (product >> 32)
    }

    /// The position of the first byte from `start` on that isn't ASCII; the end if all are.
    package func endOfASCII(from start: Int) -> Int {
        unsafe withUnsafeBytes { bytes in
            var index = start
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if word & 0x8080_8080_8080_8080 != 0 { break }
                index += 8
            }
            while index < bytes.count, unsafe bytes[index] < 0x80 { index += 1 }
            return index
        }
    }
}
