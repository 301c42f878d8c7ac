@testable import BatchFetch

/// Gzip data (RFC 1952) whose content is stored, not compressed, so every byte has a known place.
enum StoredGzip {
    /// The length of a header without optional fields.
    static let headerLength = 10

    /// Returns one member.
    ///
    /// - Parameters:
    ///   - extra: An optional field of the header, as `bgzip` writes it.
    ///   - name: The name of the original file, as `gzip` writes it.
    static func member(_ content: [UInt8], extra: [UInt8]? = nil, name: String? = nil) -> [UInt8] {
        let flags: UInt8 = (extra == nil ? 0 : 4) | (name == nil ? 0 : 8)
        var bytes: [UInt8] = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3]
        if let extra { bytes += little(UInt64(extra.count), 2) + extra }
        if let name { bytes += Array(name.utf8) + [0] }
        var rest = content[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(0xFFFF)
            bytes.append(rest.isEmpty ? 1 : 0)
            let count = UInt64(block.count)
            bytes += little(count, 2) + little(~count, 2) + block
        } while !rest.isEmpty
        let checksum = CRC32.checksum(content.span)
        return bytes + little(UInt64(checksum), 4) + little(UInt64(content.count), 4)
    }

    static func member(_ text: String) -> [UInt8] { member(Array(text.utf8)) }

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
