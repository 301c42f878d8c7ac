/// A hash of 64 bits under a key that nobody outside knows (SipHash), so that no list can be made
/// whose entries collide.
struct KeyedHash: Sendable {
    private let key = UInt64.random(in: .min ... .max)

    /// The hash of texts, each of which counts as one.
    func hash(_ texts: [[UInt8]]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        for text in texts { Self.combine(text.span, into: &hasher) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The hash of one text: as that of an array with nothing else.
    func hash(_ text: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        Self.combine(text, into: &hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func combine(_ text: Span<UInt8>, into hasher: inout Hasher) {
        hasher.combine(text.count)
        var word: UInt64 = 0
        for index in text.indices {
            word = word << 8 | UInt64(text[index])
            if index & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
    }
}
