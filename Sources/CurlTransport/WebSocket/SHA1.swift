/// The digest that verifies a WebSocket's opening handshake. Source: RFC 3174.
///
/// It protects no secret there, and isn't used for anything else. Implemented here, because this
/// target doesn't link libcrypto.
enum SHA1 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            add(padded[start..<start + 64], to: &state)
        }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Appends a set bit, as many zero bits as needed, and the length in bits.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        let zeros = (120 - padded.count % 64) % 64
        padded += [UInt8](repeating: 0, count: zeros)
        let length = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
        }
        return padded
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words: [UInt32] = []
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotatedLeft(by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (function, constant) = step(round, b, c, d)
            let sum = a.rotatedLeft(by: 5) &+ function &+ e &+ constant &+ word
            (a, b, c, d, e) = (sum, a, b.rotatedLeft(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func step(
        _ round: Int,
        _ b: UInt32,
        _ c: UInt32,
        _ d: UInt32
    ) -> (function: UInt32, constant: UInt32) {
        switch round / 20 {
        case 0: ((b & c) | (~b & d), 0x5A82_7999)
        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }
}

extension UInt32 {
    fileprivate func rotatedLeft(by count: UInt32) -> UInt32 {
        self << count | self >> (32 - count)
    }
}
