/// A 64-bit hash that is the same in every process, which Swift's `Hasher` is not. It tells names
/// of one list apart; it is no defence against somebody who makes up the list to collide.
enum StableHash {
    /// FNV-1a, with the finishing steps of MurmurHash3 so that every input bit reaches every output
    /// bit.
    static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mixed(hash)
    }

    /// The finishing steps alone: neighbouring numbers become unrelated ones.
    static func mixed(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash >> 33)
    }

    /// 16 hexadecimal digits.
    static func digits(_ text: some Sequence<UInt8>) -> String {
        String(hash(text), radix: 16).zeroPadded(to: 16)
    }
}
