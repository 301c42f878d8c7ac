internal import Foundation

/// What shows that a record is as it was written: FNV-1a in 64 bits, which no change of one byte leaves as
/// it was. SQLite checks its own structures, and not what stands in them.
enum RecordChecksum {
    static func of(_ parts: [Data]) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            // Where one ends and the next begins counts, too.
            hash = (hash ^ UInt64(part.count)) &* 0x100_0000_01b3
        }
        return Int(bitPattern: UInt(hash))
    }
}
