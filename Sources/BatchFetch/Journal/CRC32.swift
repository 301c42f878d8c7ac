/// The checksum of Ethernet, gzip and zip (ISO 3309, polynomial 0xEDB88320).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
        return value
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var checksum = UInt32.max
        for byte in bytes {
            checksum = table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ (checksum >> 8)
        }
        return ~checksum
    }
}
