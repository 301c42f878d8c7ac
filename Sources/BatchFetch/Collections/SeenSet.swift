/// A set of 64-bit hashes, for many millions of entries.
///
/// Uses open addressing in 256 tables that grow one at a time, by a quarter, so that growing never
/// doubles the memory. Takes about 11 bytes for each entry. Different entries may have the same
/// hash: with n entries the probability of any collision is n² / 2⁶⁵ (10 million: 0.000003).
struct SeenSet: Sendable {
    private struct Table: Sendable {
        /// 0 is an empty slot.
        var slots = [UInt64](repeating: 0, count: 64)
        var count = 0

        mutating func insert(_ hash: UInt64) -> Bool {
            if count * 4 >= slots.count * 3 { grow() }
            guard put(hash) else { return false }
            count += 1
            return true
        }

        func contains(_ hash: UInt64) -> Bool {
            var index = Self.place(of: hash, among: slots.count)
            while slots[index] != 0 {
                if slots[index] == hash { return true }
                index = index + 1 == slots.count ? 0 : index + 1
            }
            return false
        }

        private mutating func put(_ hash: UInt64) -> Bool {
            var index = Self.place(of: hash, among: slots.count)
            while slots[index] != 0 {
                if slots[index] == hash { return false }
                index = index + 1 == slots.count ? 0 : index + 1
            }
            slots[index] = hash
            return true
        }

        private mutating func grow() {
            let old = slots
            slots = [UInt64](repeating: 0, count: old.count + old.count / 4)
            for hash in old where hash != 0 { _ = put(hash) }
        }

        /// Uses all bits except the eight that choose the table.
        private static func place(of hash: UInt64, among count: Int) -> Int {
            Int((hash << 8).multipliedFullWidth(by: UInt64(count)).high)
        }
    }

    private var tables = [Table](repeating: Table(), count: 256)

    /// The number of entries.
    var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// Whether the set contains a hash.
    func contains(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        return tables[Int(hash >> 56)].contains(hash)
    }

    /// Adds a hash; false if the set has it already.
    mutating func insert(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        return tables[Int(hash >> 56)].insert(hash)
    }
}
