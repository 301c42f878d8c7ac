import Posix

/// A 64-bit hash that is the same in every process. Swift's `Hasher` is not.
///
/// It distinguishes the names of one list. It doesn't protect against a list that is made to
/// collide.
package enum StableHash {
    /// Computes FNV-1a, finished as MurmurHash3. So each input bit affects each output bit.
    package static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        for byte in text { hash.add(UInt64(byte)) }
        return mixed(hash.value)
    }

    /// Applies only the finishing steps: neighbouring numbers become unrelated ones.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash >> 33)
    }

    /// Returns the hash as 16 hexadecimal digits.
    static func digits(_ text: some Sequence<UInt8>) -> String {
        String(hash(text), radix: 16).zeroPadded(to: 16)
    }
}

/// A 64-bit hash with a secret random key (SipHash).
///
/// Because the key is secret, a malicious list can't contain entries that collide.
struct KeyedHash: Sendable {
    private let key = UInt64.random(in: .min ... .max)

    /// Hashes an array of texts; the boundaries between the texts matter.
    func hash(_ texts: [[UInt8]]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        for text in texts { Self.combine(text.span, into: &hasher) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Hashes one text, as an array of just this text.
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
