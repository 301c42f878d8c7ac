// Work on runs of bytes, a machine word at a time.

extension Array where Element == UInt8 {
    /// Combines the bytes from `start` on with those of `key` by exclusive or, over and over.
    ///
    /// The first byte meets the lowest eight bits of `key`, the fifth meets them again.
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
    /// Where the first byte stands, from `start` on, that isn't ASCII; the end if all are.
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
