/// Which of many millions of things have been seen, by 64 bits of a hash of each.
///
/// Open addressing in 256 tables that grow one at a time, by a quarter, so that growing never takes
/// twice the memory: about 11 bytes for each. Two different things may have the same hash: among n,
/// the chance that any two do is n² / 2⁶⁵ (10 million: 0.000003).
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

        /// By all but the eight bits that choose the table.
        private static func place(of hash: UInt64, among count: Int) -> Int {
            Int((hash << 8).multipliedFullWidth(by: UInt64(count)).high)
        }
    }

    private var tables = [Table](repeating: Table(), count: 256)

    /// How many have been inserted.
    var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// Whether a hash was noted.
    func contains(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        return tables[Int(hash >> 56)].contains(hash)
    }

    /// Notes a hash; false if it was noted before.
    mutating func insert(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        return tables[Int(hash >> 56)].insert(hash)
    }
}
