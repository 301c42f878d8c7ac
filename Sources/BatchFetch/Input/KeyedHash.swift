/// A hash of 64 bits under a key that nobody outside knows (SipHash), so that no list can be made
/// whose entries collide.
struct KeyedHash: Sendable {
    private let key = UInt64.random(in: .min ... .max)

    /// The hash of texts, each of which counts as one.
    func hash(_ texts: [[UInt8]]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        for text in texts {
            hasher.combine(text.count)
            var word: UInt64 = 0
            for (index, byte) in text.enumerated() {
                word = word << 8 | UInt64(byte)
                if index & 7 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
